import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One thing that is started: `args` of a Node.js process. */
export interface Start {
  readonly name: string
  readonly args: readonly string[]
  /** What is imported, if it is an import: a bundle of it is weighed too. */
  readonly imported?: string
}

const here = fileURLToPath(new URL('../../', import.meta.url))
/** Its package exports no path to its program. */
const drizzle = join(here, 'node_modules/drizzle-kit/bin.cjs')
const command = fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url))

const model = (mode: 'mjs' | 'ts'): string => `
import { defineTable, desc, text, timestamp } from 'rowkey'
export const Events = defineTable('events', {
  columns: { host: text(), event: text(), at: desc(timestamp('ms')) }, key: ['host', 'event', 'at'],
})${mode === 'ts' ? '\nexport type Name = string' : ''}
`

/** Everything that is started, the empty program first. Models are written into `folder`, below this package, so that they find `rowkey`. */
export function startsIn(folder: string): readonly Start[] {
  mkdirSync(folder, { recursive: true })
  const write = (name: string, content: string): string => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const program = (name: string, code: string): readonly string[] => [write(name, code)]
  const importOf = (name: string): Start => ({
    name: `import '${name}'`,
    args: program(`${name.replaceAll(/\W/g, '-')}.mjs`, `import '${name}'\n`),
    imported: name,
  })
  const [built, typed] = [write('models.mjs', model('mjs')), write('models.ts', model('ts'))]
  const rowkey = (name: string, ...args: readonly string[]): Start => ({ name, args: [command, ...args] })
  return [
    { name: 'nothing', args: program('nothing.mjs', '') },
    ...['rowkey', 'rowkey/codec', 'kysely', 'zod'].map(importOf),
    rowkey('rowkey --version', '--version'),
    rowkey('rowkey layout, a built model', 'layout', '-m', built),
    rowkey('rowkey decode, a built model', 'decode', 'events', '6100006c6f67696e00007ffffe64870006ff', '-m', built),
    rowkey('rowkey lint, a model in TypeScript', 'lint', '-m', typed),
    { name: 'drizzle-kit --version', args: [drizzle, '--version'] },
  ]
}

/** The folder for models and programs. */
export const startFolder: string = join(here, 'dist', 'start-programs')
