// Reads what `pnpm start --json` printed and checks that it is one document of the promised form.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const { rows, malformed, pairs, newest, window, buckets } = JSON.parse(readFileSync(0, 'utf8'))
assert.ok(rows > 0)
assert.equal(malformed, 0)
assert.equal(pairs.length, 3)
assert.ok(pairs.every(({ host, event, count }, i) => host !== '' && event !== '' && count <= (pairs[i - 1]?.count ?? rows)))
assert.deepEqual(
  newest.map(({ host, event }) => ({ host, event })),
  pairs.map(({ host, event }) => ({ host, event })),
)
for (const { rows: found } of newest) {
  assert.equal(found.length, 10)
  assert.ok(found.every(({ ts_ms, key }, i) => ts_ms <= (found[i - 1]?.ts_ms ?? Infinity) && /^([0-9a-f]{2})+$/.test(key)))
}
assert.ok(window.count > 0 && window.from <= window.first && window.first <= window.last && window.last < window.to)
for (const counts of [buckets.hash, buckets.modulo]) {
  assert.equal(counts.length, 16)
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    rows,
  )
}
console.log(`start --json: ${rows} rows, one document`)
