// The built packages on whatever Node runs this file: no sources, no test runner. Build first: pnpm check:types.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { advise } from '@rowkey/advisor'
import { keyLayout } from 'rowkey/codec'
import { bucket, createMapper, desc, isRowkeyError, memory, schemaFromJSON, schemaOf, text, timestamp, toHex, uint32 } from 'rowkey'
import { LogEvent, LogTimeline } from '../../examples/dist/start/models.js'

const instant = (second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

// The codec alone.
const layout = keyLayout(
  [
    ['host', text()],
    ['event', text()],
    ['at', desc(timestamp('ms'))],
    ['seq', uint32()],
  ],
  { salt: bucket({ of: ['host', 'event'], count: 16 }) },
)
const key = { host: 'web-1', event: 'login', at: new Date('2026-01-01T10:00:00Z'), seq: 1 }
const bytes = layout.encode(key)
assert.equal(toHex(bytes), '057765622d3100006c6f67696e00007ffffe64870006ff00000001')
assert.deepEqual(layout.decode(bytes), key)

// Its random keys where code from text is forbidden: the same bytes, after one attempt.
const codecHost = fileURLToPath(new URL('codec-host.mjs', import.meta.url))
const workWith = (...flags) =>
  JSON.parse(execFileSync(process.execPath, [...flags, codecHost, 'auto'], { encoding: 'utf8', maxBuffer: 2 ** 26 }))
const { code: allowed, ...fromCode } = workWith()
const { code: forbidden, ...fromClosures } = workWith('--disallow-code-generation-from-strings')
assert.ok(allowed.made >= fromCode.random.length)
assert.deepEqual(forbidden, { asked: 1, made: 0 })
assert.deepEqual(fromClosures, fromCode)

// Work in proportion to what is given: what an engine makes of the same code differs from version to version.
const linear = fileURLToPath(new URL('linear.mjs', import.meta.url))
assert.equal(execFileSync(process.execPath, [linear], { encoding: 'utf8' }), '')

// The advisor: what it says of all designs of its tests.
const designs = JSON.parse(readFileSync(new URL('../../packages/advisor/test/golden/findings.json', import.meta.url), 'utf8'))
assert.ok(designs.length > 130)
for (const { schema, options, advice } of designs) {
  const { existing } = options
  const known = existing === undefined ? {} : { existing: existing.map((each) => schemaFromJSON(each)) }
  assert.deepEqual(JSON.parse(JSON.stringify(advise(schemaFromJSON(schema), { ...options, ...known }))), advice)
}

// Decorated classes as tsc compiled them, in the in-process engine.
const db = createMapper(memory())
await db.ensureTables([LogEvent, LogTimeline])
const events = db.repository(LogEvent)
const timeline = db.repository(LogTimeline)
for (let seq = 0; seq < 100; seq++) {
  const row = { host: `web-${seq % 3}`, event: seq % 2 === 0 ? 'login' : 'logout', at: instant(seq), seq }
  await events.insert({ ...row, message: seq === 6 ? null : `message ${seq}` })
  await timeline.insert(row)
}
const newest = await events.scan({ host: 'web-0', event: 'login' }, { limit: 3 }).toArray()
assert.deepEqual(
  newest.map(({ seq }) => seq),
  [96, 90, 84],
)
assert.ok(newest[0] instanceof LogEvent)
const window = await timeline.scan({ at: { gte: instant(10), lt: instant(20) } }, { unbounded: true }).toArray()
assert.deepEqual(
  window.map(({ seq }) => seq),
  [10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
)
const first = await events.get({ host: 'web-0', event: 'login', at: instant(6), seq: 6 })
assert.deepEqual({ ...first }, { host: 'web-0', event: 'login', at: instant(6), seq: 6, message: null })
await assert.rejects(
  async () => events.scan({ event: 'login' }).toArray(),
  (error) => isRowkeyError(error, 'FULL_SCAN_REFUSED'),
)
await assert.rejects(
  async () => events.insert({ host: 'web-0', event: 'login', at: instant(6), seq: 6, message: 'again' }),
  (error) => isRowkeyError(error, 'ROW_EXISTS'),
)
assert.equal(schemaOf(LogTimeline).salt[0]?.count, 16)

// The same models in both decorator modes.
const [legacy, standard] = ['legacy', 'standard'].map((mode) => {
  const run = fileURLToPath(new URL(`../../packages/rowkey/test/model/decorators/${mode}/dist/run.js`, import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [run], { encoding: 'utf8' }))
})
assert.ok(legacy.schemas.length > 0)
assert.deepEqual(legacy.schemas, standard.schemas)

// The test file that the README of the conformance suite shows, under the runner of this Node.
const [, shown = ''] =
  /```js\n([^]*?)```/.exec(readFileSync(new URL('../../packages/rowkey/src/conformance/README.md', import.meta.url), 'utf8')) ?? []
const testFile = fileURLToPath(new URL('shown.test.mjs', import.meta.url))
writeFileSync(testFile, shown)
try {
  const tap = execFileSync(process.execPath, ['--test', '--test-reporter=tap', testFile], { encoding: 'utf8' })
  assert.match(tap, /^# pass \d{2,}$/m)
  assert.match(tap, /^# fail 0$/m)
} finally {
  rmSync(testFile)
}

console.log(
  `Node ${process.version}: codec with and without code from text and in linear time, decorated models in both modes, insert, get, scan and refusals of the built packages work, and so does the suite under node:test`,
)
