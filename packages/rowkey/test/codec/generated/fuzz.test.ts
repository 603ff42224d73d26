import { isRowkeyError, keyLayout, toHex, type KeyLayout } from '#codec'
import fc from 'fast-check'
import { test } from 'vitest'
import { seed } from '../../../../../test/kit/property.js'
import { anyLayout, nameOf, type RandomLayout } from '../random-layouts.js'
import { Random } from '../../../src/conformance/oracle/random.js'

// Decoding of anything: a key that encodes to the very bytes again, or MALFORMED_KEY; never a hang, another exception, or a difference
// between generated code and closures. `pnpm fuzz` goes on for ROWKEY_FUZZ_MINUTES with new layouts; without it a fixed number.
const minutes = Number(process.env['ROWKEY_FUZZ_MINUTES'] ?? 0)
const fewLayouts = 150
const perLayout = 200

test('KEY-31: random and damaged bytes', { timeout: 180_000 + minutes * 61_000 }, () => {
  const until = Date.now() + minutes * 60_000
  const count = { layouts: 0, inputs: 0, decoded: 0, malformed: 0 }
  while (minutes > 0 ? Date.now() < until : count.layouts < fewLayouts) {
    const [given] = fc.sample(anyLayout, { numRuns: 1, seed: seed * 1_000_003 + count.layouts }) as [RandomLayout]
    fuzz(given, new Random(seed * 1_000_003 + count.layouts), count)
    count.layouts++
  }
  console.log(
    `decode: ${count.layouts} layouts, ${count.inputs} inputs, ${count.decoded} decoded, ${count.malformed} malformed, seed ${seed}`,
  )
  if (count.decoded === 0 || count.malformed === 0) throw new Error('nothing was decoded, or nothing refused')
})

function fuzz(
  { layout, columns, salts, keys }: RandomLayout,
  random: Random,
  count: Record<'inputs' | 'decoded' | 'malformed', number>,
): void {
  const closures = keyLayout(
    columns.map(({ type }, i) => [nameOf(i), type] as const),
    { salt: salts, codegen: 'never' },
  )
  const good = keys.map((key) => layout.encode(key))
  for (let i = 0; i < perLayout; i++) {
    const bytes = damaged(good, random)
    const [one, other] = [readBy(layout, bytes), readBy(closures, bytes)]
    if (one !== other) throw new Error(`generated code and closures differ on ${toHex(bytes)}: ${one} and ${other}`)
    count.inputs++
    count[one === 'malformed' ? 'malformed' : 'decoded']++
  }
}

/** The bytes that the decoded key encodes to, which are those given; or that it is malformed. */
function readBy(layout: KeyLayout, bytes: Uint8Array): string {
  let key: Record<string, unknown>
  try {
    key = layout.decode(bytes)
  } catch (error) {
    if (isRowkeyError(error, 'MALFORMED_KEY')) return 'malformed'
    throw new Error(`${toHex(bytes)} gave another error`, { cause: error })
  }
  const again = toHex(layout.encode(key))
  if (again !== toHex(bytes)) throw new Error(`${toHex(bytes)} was decoded to the key of ${again}`)
  return again
}

const telling = [0, 1, 2, 0x2d, 0x30, 0x5f, 0x7f, 0x80, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xfe, 0xff]

/** Cut, put together, changed in up to four places, or made of nothing. */
function damaged(good: readonly Uint8Array[], random: Random): Uint8Array {
  const anyByte = (): number => (random.chance(0.6) ? random.pick(telling) : random.below(256))
  if (random.chance(0.15)) return Uint8Array.from({ length: random.below(40) }, anyByte)
  const key = random.pick(good)
  const other = random.pick(good)
  const cut = random.chance(0.3) ? random.below(key.length + 1) : key.length
  const bytes = [...key.subarray(0, cut), ...(random.chance(0.2) ? other.subarray(random.below(other.length + 1)) : [])]
  for (let changes = random.below(5); changes > 0 && bytes.length > 0; changes--) {
    const at = random.below(bytes.length)
    const kind = random.below(7)
    if (kind === 0) bytes.splice(at, 1)
    else if (kind === 1) bytes.splice(at, 0, anyByte())
    else bytes[at] = kind < 4 ? (bytes[at] as number) ^ (1 << random.below(8)) : anyByte()
  }
  return Uint8Array.from(bytes)
}
