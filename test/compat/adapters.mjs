// A program that opens every adapter with its driver. What that takes is in an adapter's folder of tests, `compat.json`: what is imported of
// a driver, and the call. No server is needed, and the store without one keeps a row.
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { peersFromOutside } from '../packaging/install-lines.mjs'
import { published, root } from '../packaging/workspace.mjs'

/** The adapters that are packages of their own for an application; memory is in rowkey. */
export const adapters = published.flatMap(({ folder, manifest }) => {
  const name = basename(folder)
  const file = join(root, folder, 'test/compat.json')
  if (!folder.startsWith('adapters/') || !existsSync(file)) return []
  return [{ name, folder, drivers: peersFromOutside(manifest).map(([driver]) => driver), ...JSON.parse(readFileSync(file, 'utf8')) }]
})

/** What the program prints. */
export const opened = `${adapters.map(({ name }) => name).join(' ')} kept`

/** The program, with a line for each module that it loads. */
const program = (line) => `${[
  ...adapters.flatMap(({ name, imports }) => [
    [`{ ${name} }`, `@rowkey/${name}`],
    ...Object.entries(imports).map(([driver, names]) => [names, driver]),
  ]),
  ['{ createMapper, defineTable, text }', 'rowkey'],
  ['{ mkdtempSync, rmSync }', 'node:fs'],
  ['{ tmpdir }', 'node:os'],
  ['{ join }', 'node:path'],
]
  .map(([names, from]) => line(names, from))
  .join('\n')}

const folder = mkdtempSync(join(tmpdir(), 'rowkey-compat-'))
const Notes = defineTable('notes', { columns: { id: text(), body: text() }, key: ['id'] })
const stores = [
${adapters.map(({ open }) => `  ${open},`).join('\n')}
]
async function main() {
  const db = createMapper(stores.find(({ name }) => name === 'lmdb'))
  await db.ensureTables([Notes])
  await db.repository(Notes).insert({ id: '1', body: 'kept' })
  console.log(stores.map(({ name }) => name).join(' '), (await db.repository(Notes).get({ id: '1' })).body)
  await Promise.all(stores.map((store) => store.close()))
  rmSync(folder, { recursive: true })
}
void main().finally(() => process.exit())
`

/** Its files. */
export const programs = {
  'adapters.mjs': program((names, from) => `import ${names} from '${from}'`),
  'adapters.cjs': program((names, from) => `const ${names} = require('${from}')`),
}
