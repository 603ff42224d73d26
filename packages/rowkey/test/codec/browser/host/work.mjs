// What every host does with the codec. All must come to the same text, whether they allow code from text or not.
import { layouts } from './layouts.mjs'
import { randomValues } from './random.mjs'

/** More calls than a layout needs to be hot, so that what follows runs the code made for it, where there is any. */
const untilHot = 1100
/** Each is encoded and decoded: the later ones meet a hot layout. */
const randomKeys = 1500

/** `vectors`: the tables of docs/spec/key-format.md as a function of the codec's names. */
export function work({ codec, kudu, hbase }, vectors, codegen) {
  const named = { ...codec, keyLayout: (columns, options) => codec.keyLayout(columns, { ...options, codegen }) }
  const { result, ...code } = countingCode(() => ({
    vectors: vectors(named).map(([layout, key]) => vector(named, layout, key)),
    random: layouts(named, randomValues(1)).map((each) => randomly(named, each)),
    formats: formats(codec, kudu, hbase),
  }))
  return { ...result, code }
}

/** How often the codec asked for code from text, and how often it got it. */
function countingCode(run) {
  const real = globalThis.Function
  const code = { asked: 0, made: 0 }
  globalThis.Function = new Proxy(real, {
    construct(target, args) {
      code.asked++
      const made = Reflect.construct(target, args)
      code.made++
      return made
    },
  })
  try {
    return { result: run(), ...code }
  } finally {
    globalThis.Function = real
  }
}

function vector({ toHex }, layout, key) {
  const cold = toHex(layout.encode(key))
  for (let i = 0; i < untilHot; i++) layout.encode(key)
  const bytes = layout.encode(key)
  const back = layout.decode(bytes)
  return [cold, toHex(bytes), shown(back), toHex(layout.encode(back)), refusal(() => layout.decode(bytes.subarray(1)))]
}

function randomly({ keyLayout, toHex }, { columns, salt, key }) {
  const layout = keyLayout(Object.entries(columns), salt === undefined ? {} : { salt })
  const target = new Uint8Array(4096)
  return Array.from({ length: randomKeys }, () => {
    const given = key()
    const bytes = layout.encode(given)
    const back = shown(layout.decode(bytes))
    if (back !== shown(given)) throw new Error(`${shown(given)} came back as ${back}`)
    const hex = toHex(bytes)
    if (toHex(target.subarray(1, layout.encodeInto(target, 1, given))) !== hex) throw new Error(`encodeInto differs for ${shown(given)}`)
    return hex
  })
}

function formats({ toHex }, { primaryKey, partitionSchema, STRING, UNIXTIME_MICROS }, { bytesLong }) {
  const columns = [
    ['host', STRING],
    ['at', UNIXTIME_MICROS],
  ]
  const key = { host: 'web', at: 5n }
  const table = partitionSchema(columns, { hash: [{ columns: ['host'], buckets: 4 }], range: ['at'] })
  return [primaryKey(columns).encode(key), table.encode(key), bytesLong.encode(5n)].map(toHex)
}

const refusal = (run) => {
  try {
    return shown(run())
  } catch ({ code, message }) {
    return `${code}: ${message}`
  }
}

function shown(key) {
  return Object.entries(key)
    .map(([name, value]) => `${JSON.stringify(name)}: ${text(value)}`)
    .join()
}

function text(value) {
  if (value instanceof Date) return `Date ${value.getTime()}`
  if (value instanceof Uint8Array) return `bytes ${value.join()}`
  if (typeof value === 'string') return JSON.stringify(value)
  return `${typeof value} ${Object.is(value, -0) ? '-0' : value}`
}
