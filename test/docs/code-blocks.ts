import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { build } from '../setup/build.js'

const root = new URL('../../', import.meta.url)
// Below test/, so that the blocks find the packages as a user's files would. A folder per page: test files run side by side.
const folderOf = (page: string): URL => new URL(`.blocks/${page.replace(/\W/g, '-')}/`, import.meta.url)

/** A block of TypeScript in a page, as a file of its own whose `//=>` comments are checks. */
export interface Block {
  readonly page: string
  readonly number: number
  readonly file: string
  readonly checks: number
}

/** Writes the ```ts blocks of a page as files that run their checks when they are imported. */
export function writeBlocks(page: string): readonly Block[] {
  const folder = folderOf(page)
  const text = readFileSync(new URL(page, root), 'utf8')
  removeBlocks(page)
  mkdirSync(folder, { recursive: true })
  return [...text.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ''], i) => {
    const file = fileURLToPath(new URL(`block-${i + 1}.ts`, folder))
    writeFileSync(file, checked(code))
    return { page, number: i + 1, file, checks: code.split('//=> ').length - 1 }
  })
}

export function removeBlocks(page: string): void {
  rmSync(folderOf(page), { recursive: true, force: true })
}

function checked(code: string): string {
  const lines = code.split('\n').map((line) => {
    const [, expression, output] = /^(.*?)\s*\/\/=> (.*)$/.exec(line) ?? []
    if (expression === undefined || output === undefined) return line
    return `await check(async () => ${expression}, ${JSON.stringify(output)})`
  })
  return `import { check } from '../../check-output.js'\n${lines.join('\n')}\nexport {}\n`
}

/** What the compiler says of the blocks, as a user's strict project would hear it. */
export function diagnosticsOf(blocks: readonly Block[], more: ts.CompilerOptions = {}): readonly string[] {
  build('tsconfig.build.json') // checks the blocks against declarations, as users have them, and not all sources again
  const files = blocks.map(({ file }) => file)
  const config = ts.readConfigFile(fileURLToPath(new URL('test/tsconfig.json', root)), ts.sys.readFile).config as object
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files }, ts.sys, fileURLToPath(new URL('test/', root)))
  const host = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => '', getNewLine: () => '\n' }
  const program = ts.createProgram(files, { ...options, customConditions: [], noUnusedLocals: false, ...more })
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => ts.formatDiagnostic(diagnostic, host))
}
