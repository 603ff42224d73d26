// Whether encoding, decoding and comparing take time in proportion to what they are given. Sizes are compared with each other: many small
// inputs with one that is as long as all of them together. No time is compared with a clock's. What an engine makes of hot code depends on
// what it has seen by then, so each group of operations has an engine of its own, which optimizes when code gets hot and not some time later.
//
//   node linear.mjs [MODULE]     a line per operation that is too slow; MODULE has all that is named below
import { setFlagsFromString } from 'node:v8'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'

const small = 3000 // above what generated code writes, so that all sizes go the same way
const times = 16 // a quadratic operation takes this many times as long for the long one
const most = 6 // caches make one long input dearer than many small ones, but not by this much
const attempts = 6 // the best of them counts: other work on the machine makes some of them slow
const warming = 3000

/** Characters of one byte, of several, and the one that is escaped. */
const alphabets = ['web', 'é漢😀', '\0']

const repeated = (length, letters) =>
  letters
    .repeat(Math.ceil(length / letters.length))
    .slice(0, length)
    .toWellFormed()

/** Out of many parts, as programs make keys. */
function joined(length, letters) {
  let text = ''
  while (text.length < length) text += letters
  return text
}

const bytesOf = (length, letters) => new Uint8Array(length).fill(letters === '\0' ? 0 : 7)

/** Operations by group: what makes an input of some length, and what is done with it. */
function groupsOf(codec) {
  const { bytes, desc, keyLayout, nullable, reversed, separatedText, text, bucket, hashPrefix, kuduHash } = codec
  const { toHex, fromHex, toEscapedText, fromEscapedText, latin1String, compareKeys, compareText } = codec
  const groups = {}
  const columns = {
    text: [text(), repeated],
    'text of many parts': [text(), joined],
    'desc(text)': [desc(text()), repeated],
    'nullable(text)': [nullable(text()), repeated],
    separatedText: [separatedText('|'), repeated],
    'separatedText of many parts': [separatedText('|'), joined],
    'desc(separatedText)': [desc(separatedText('|')), repeated],
    'reversed(text)': [reversed(text()), repeated],
    bytes: [bytes(), bytesOf],
    'desc(bytes)': [desc(bytes()), bytesOf],
  }
  const salts = {
    bucket: bucket({ of: 'column', count: 16 }),
    hashPrefix: hashPrefix({ of: 'column' }),
    kuduHash: kuduHash({ of: 'column', count: 4 }),
  }
  for (const codegen of ['auto', 'never']) {
    for (const [name, [type, value]] of Object.entries(columns)) {
      const layout = keyLayout([['column', type]], { codegen })
      const key = (length, letters) => ({ column: value(length, letters) })
      const encoded = (length, letters) => layout.encode(key(length, letters))
      const two = (length, letters) => [[value(length, letters)], [value(length - 2, letters)]]
      groups[`${name}, codegen ${codegen}`] = {
        encode: [key, (given) => layout.encode(given)],
        decode: [encoded, (given) => layout.decode(given)],
        compare: [two, ([a, b]) => layout.rows.compareRows(a, b)],
        inspect: [encoded, (given) => layout.inspect(given)],
      }
    }
    for (const [name, salt] of Object.entries(salts)) {
      const layout = keyLayout([['column', text()]], { salt, codegen })
      const key = (length, letters) => ({ column: joined(length, letters) })
      groups[`${name}, codegen ${codegen}`] = { encode: [key, (given) => layout.encode(given)] }
    }
  }
  groups['order'] = {
    compareText: [(length, letters) => [joined(length, letters), joined(length - 2, letters)], ([a, b]) => compareText(a, b)],
    compareKeys: [(length, letters) => [bytesOf(length, letters), bytesOf(length - 2, letters)], ([a, b]) => compareKeys(a, b)],
    latin1String: [bytesOf, latin1String],
  }
  groups['texts of bytes'] = {
    toHex: [bytesOf, toHex],
    fromHex: [(length, letters) => toHex(bytesOf(length, letters)), fromHex],
    toEscapedText: [bytesOf, toEscapedText],
    fromEscapedText: [(length, letters) => toEscapedText(bytesOf(length, letters)), fromEscapedText],
  }
  const { bytesString } = codec
  groups['bytesString'] = {
    encode: [joined, (given) => bytesString.encode(given)],
    decode: [(length, letters) => bytesString.encode(joined(length, letters)), (given) => bytesString.decode(given)],
  }
  const { primaryKey, STRING, BINARY } = codec
  const inKudu = primaryKey([
    ['inner', STRING],
    ['last', BINARY],
  ])
  const kuduKey = (length, letters) => ({ inner: joined(length, letters), last: bytesOf(length, letters) })
  groups['primaryKey'] = {
    encode: [kuduKey, (given) => inKudu.encode(given)],
    decode: [(length, letters) => inKudu.encode(kuduKey(length, letters)), (given) => inKudu.decode(given)],
  }
  return groups
}

function elapsed(run, inputs) {
  const begin = performance.now()
  for (const input of inputs) run(input)
  return performance.now() - begin
}

/** How much longer the long input takes than the small ones, at best. */
function growth([input, run], letters) {
  let best = Infinity
  for (let attempt = 0; attempt < attempts && best > most; attempt++) {
    const many = Array.from({ length: times }, () => input(small, letters))
    const one = [input(small * times, letters)]
    best = Math.min(best, elapsed(run, one) / elapsed(run, many))
  }
  return best
}

/** The operations of a group that take more time than their input grows. */
function tooSlow(group) {
  const found = []
  for (const [name, operation] of Object.entries(group)) {
    const [input, run] = operation
    const short = input(40, 'web')
    for (let i = 0; i < warming; i++) run(short)
    for (const letters of alphabets) {
      const factor = growth(operation, letters)
      if (factor > most)
        found.push(`${name} ${JSON.stringify(letters)}: ${times} times the length takes ${(times * factor).toFixed(0)} times as long`)
    }
  }
  return found
}

async function load(module) {
  if (module !== undefined) return import(module)
  const parts = await Promise.all(
    ['rowkey/codec', 'rowkey/internal', 'rowkey/formats/hbase', 'rowkey/formats/kudu'].map((name) => import(name)),
  )
  return Object.assign({}, ...parts)
}

function inItsOwnEngine(module, group) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { module, group } })
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
}

if (isMainThread) {
  setFlagsFromString('--no-concurrent-recompilation')
  const [, , module] = process.argv
  for (const group of Object.keys(groupsOf(await load(module)))) {
    for (const line of await inItsOwnEngine(module, group)) console.log(`${group}, ${line}`)
  }
} else {
  const { module, group } = workerData
  parentPort.postMessage(tooSlow(groupsOf(await load(module))[group]))
}
