import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { published, root } from './workspace.mjs'

/** What can be imported: each package, and its subpaths. */
const entries = published.flatMap(({ folder, manifest }) =>
  Object.entries(manifest.exports ?? {}).map(([path, conditions]) => ({
    name: join(manifest.name, path),
    file: join(root, folder, (conditions as Record<string, string>)['@rowkey/source'] ?? ''),
  })),
)

let program: ts.Program

beforeAll(() => {
  const { options, errors } = ts.parseJsonConfigFileContent(
    {
      extends: './tsconfig.base.json',
      compilerOptions: { rootDir: '.', noEmit: true, composite: false, declarationMap: false },
      files: [],
    },
    ts.sys,
    root,
  )
  expect(errors.filter(({ code }) => code !== 18002).map(({ messageText }) => messageText)).toEqual([]) // 18002: no files, they follow
  program = ts.createProgram(
    entries.map(({ file }) => file),
    options,
  )
}, 60_000)

test.each(entries)('$name: everything exported has a doc comment', ({ file }) => {
  const exported = exportsOf(file)
  expect(exported.length).toBeGreaterThan(0)
  expect(exported.filter(({ documented }) => !documented).map(({ name }) => name)).toEqual([])
})

function exportsOf(path: string): readonly { readonly name: string; readonly documented: boolean }[] {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(path)
  const module = file && checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${path} exports nothing`)
  return checker.getExportsOfModule(module).map((exported) => {
    const ownOf = (each: ts.Symbol): ts.Symbol => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each)
    const symbol = ownOf(exported)
    const isDocumented = (each: ts.Symbol): boolean => ownOf(each).getDocumentationComment(checker).length > 0
    // A namespace is a file: what counts is what is in it.
    const documented =
      symbol.flags & ts.SymbolFlags.ValueModule ? checker.getExportsOfModule(symbol).every(isDocumented) : isDocumented(symbol)
    return { name: exported.name, documented }
  })
}
