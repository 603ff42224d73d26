import { readFileSync } from 'node:fs'
import type { Value } from 'rowkey/codec'
import { fromHex, schemaFromJSON } from 'rowkey'

// The codec alone, in a process of its own: the keys are in memory before, and nothing is written. One pass is from cold, as in the command; with
// more of them the engine has compiled everything.

const [models = '', many = '', from, passes] = process.argv.slice(2)
const [model] = JSON.parse(readFileSync(models, 'utf8')) as object[]
const { layout } = schemaFromJSON(model ?? {})
const lines = readFileSync(many, 'utf8').trimEnd().split('\n')
const into: Value[] = []
let hosts = 0

function decodeHex(): void {
  for (const line of lines) {
    layout.decode(fromHex(line), into)
    hosts += (into[0] as string).length
  }
}

function decodeBytes(keys: readonly Uint8Array[]): void {
  for (const key of keys) {
    layout.decode(key, into)
    hosts += (into[0] as string).length
  }
}

const keys = from === 'bytes' ? lines.map((line) => new Uint8Array(Buffer.from(line, 'hex'))) : []
const began = performance.now()
for (let pass = 0; pass < Number(passes); pass++) {
  if (from === 'bytes') decodeBytes(keys)
  else decodeHex()
}
const milliseconds = performance.now() - began
if (hosts === 0) throw new Error('nothing was decoded')
process.send?.(milliseconds)
process.disconnect()
