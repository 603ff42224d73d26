import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { isShort } from '@rowkey/servers/scale'
import { beforeAll, expect, test } from 'vitest'
import { build } from '../setup/build.js'

const here = dirname(fileURLToPath(import.meta.url))

// Two errors beside the real cases, so that a run which sees nothing at all fails.
const plantedFile = join(here, 'planted.test-d.ts')
const planted = `
import { text } from 'rowkey/codec'
import { defineTable, type InferKey } from 'rowkey'
const Table = defineTable('abc', { columns: { a: text(), b: text() }, key: ['a', 'b'] })
const key: InferKey<typeof Table> = { a: 'x' }
// @ts-expect-error this line is right
export const right: InferKey<typeof Table> = { ...key, b: 'y' }
`
const virtual = new Map([[plantedFile, planted]])
const refused = [
  "planted.test-d.ts:5 TS2741 Property 'b' is missing in type '{ a: string; }' but required in type '{ a: string; b: string; }'.",
  "planted.test-d.ts:6 TS2578 Unused '@ts-expect-error' directive.",
]

beforeAll(() => build('tsconfig.build.json'))

test.each(isShort ? ['standard'] : ['legacy', 'standard'])(
  'types: every case compiles or is refused as marked, %s decorators',
  { timeout: 180_000 },
  (mode) => {
    expect(diagnose(mode)).toEqual(refused)
  },
)

test.skipIf(isShort)('types: a program without strict', { timeout: 180_000 }, () => {
  // The sources of the packages are strict; programs get their declarations.
  expect(diagnose('loose').filter((line) => line.includes('.test-d.ts'))).toEqual(refused)
})

test('types: the refused cases are there', () => {
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test-d.ts'))
  const marks = files.flatMap((name) => readFileSync(join(here, name), 'utf8').match(/@ts-expect-error/g) ?? [])
  expect(marks.length).toBeGreaterThanOrEqual(170)
})

const parsed = new Map<string, ts.SourceFile | undefined>()

function diagnose(mode: string): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(here, `tsconfig.${mode}.json`),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(lineOf(diagnostic))
      },
    },
  )
  if (config === undefined) throw new Error(`no tsconfig for ${mode}`)
  const options = { ...config.options, customConditions: [] } // the declarations that programs get
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  const exists = host.fileExists.bind(host)
  host.fileExists = (name) => virtual.has(name) || exists(name)
  // Both modes parse alike, only checking differs.
  host.getSourceFile = (name, options) => {
    const text = virtual.get(name)
    if (!parsed.has(name)) parsed.set(name, text === undefined ? read(name, options) : ts.createSourceFile(name, text, options))
    return parsed.get(name)
  }
  const program = ts.createProgram([...config.fileNames, plantedFile], options, host)
  return [...config.errors, ...ts.getPreEmitDiagnostics(program)].map(lineOf)
}

function lineOf({ file, start, code, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ')
  if (file === undefined || start === undefined) return `TS${code} ${text}`
  return `${file.fileName.slice(file.fileName.lastIndexOf('/') + 1)}:${file.getLineAndCharacterOfPosition(start).line + 1} TS${code} ${text}`
}
