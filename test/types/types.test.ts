import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))

// Two errors beside the real cases, so that a run which sees nothing at all fails.
const plantedFile = join(here, 'planted.test-d.ts')
const planted = `
import { text } from '@rowkey/codec'
import { defineTable, type InferKey } from '@rowkey/model'
const Table = defineTable('abc', { columns: { a: text(), b: text() }, key: ['a', 'b'] })
const key: InferKey<typeof Table> = { a: 'x' }
// @ts-expect-error this line is right
export const right: InferKey<typeof Table> = { ...key, b: 'y' }
`
/** Fields that do not fit, each with what its message must contain. */
const misfits = [
  ['@Column(text()) state!: Status', "'write the column as text<…>() with the type of the field'", '<Status>'],
  ["@Column(text()) other!: 'new' | 'paid'", "'write the column as text<…>() with the type of the field'", '<"new" | "paid">'],
  ['@Column(json()) address!: Address', "'write the column as json<…>() with the type of the field'", '<Address>'],
  ['@Column(int64()) size!: number', "'the field must be declared as'", '<bigint>'],
  ['@KeyColumn(2, text()) late!: string', '"key of [RowKey] must name this column"'],
  ["@Column(text({ default: '' })) more!: string", '"default of [RowKey] must name this column"'],
] as const
const misfitsFile = join(here, 'misfits.test-d.ts')
const virtual = new Map([
  [plantedFile, planted],
  [
    misfitsFile,
    `
import { int64, json, text } from '@rowkey/codec'
import { Column, KeyColumn, RowKey } from '@rowkey/model'
type Status = 'new' | 'paid'
interface Address { readonly city: string }
export class Misfits {
  declare [RowKey]?: { key: ['id'] }
  @KeyColumn(1, text()) id!: string
${misfits.map(([line]) => `  ${line}`).join('\n')}
}
`,
  ],
])
const refused = [
  "planted.test-d.ts:5 TS2741 Property 'b' is missing in type '{ a: string; }' but required in type '{ a: string; b: string; }'.",
  "planted.test-d.ts:6 TS2578 Unused '@ts-expect-error' directive.",
]

test.each(['legacy', 'standard'])('types: every case compiles or is refused as marked, %s decorators', { timeout: 180_000 }, (mode) => {
  expect(diagnose(mode)).toEqual(refused)
})

test.each(['legacy', 'standard'])('types: a field that does not fit says what to write, %s decorators', { timeout: 180_000 }, (mode) => {
  const found = diagnose(mode, [misfitsFile])
  expect(found).toHaveLength(misfits.length)
  misfits.forEach(([line, ...texts], i) => {
    for (const text of texts) expect(found[i], line).toContain(text)
  })
})

test('types: a program without strict', { timeout: 180_000 }, () => {
  // The sources of the packages are strict; programs get their declarations.
  expect(diagnose('loose').filter((line) => line.includes('.test-d.ts'))).toEqual(refused)
})

test('types: the refused cases are there', () => {
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test-d.ts'))
  const marks = files.flatMap((name) => readFileSync(join(here, name), 'utf8').match(/@ts-expect-error/g) ?? [])
  expect(marks.length).toBeGreaterThanOrEqual(170)
})

const parsed = new Map<string, ts.SourceFile | undefined>()

/** @param only these files of the virtual ones, instead of the cases of the mode and the planted ones */
function diagnose(mode: string, only?: readonly string[]): string[] {
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
  const host = ts.createCompilerHost(config.options)
  const read = host.getSourceFile.bind(host)
  const exists = host.fileExists.bind(host)
  host.fileExists = (name) => virtual.has(name) || exists(name)
  // Both modes parse alike, only checking differs.
  host.getSourceFile = (name, options) => {
    const text = virtual.get(name)
    if (!parsed.has(name)) parsed.set(name, text === undefined ? read(name, options) : ts.createSourceFile(name, text, options))
    return parsed.get(name)
  }
  const program = ts.createProgram(only ?? [...config.fileNames, plantedFile], config.options, host)
  return [...config.errors, ...ts.getPreEmitDiagnostics(program)].map(lineOf)
}

function lineOf({ file, start, code, messageText }: ts.Diagnostic): string {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ')
  if (file === undefined || start === undefined) return `TS${code} ${text}`
  return `${file.fileName.slice(file.fileName.lastIndexOf('/') + 1)}:${file.getLineAndCharacterOfPosition(start).line + 1} TS${code} ${text}`
}
