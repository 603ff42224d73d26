import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { published, root } from './workspace.mjs'

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
    published.map(({ folder }) => indexOf(folder)),
    options,
  )
}, 60_000)

test.each(published)('$manifest.name: everything exported has a doc comment', ({ folder }) => {
  const exported = exportsOf(folder)
  expect(exported.length).toBeGreaterThan(0)
  expect(exported.filter(({ documented }) => !documented).map(({ name }) => name)).toEqual([])
})

const indexOf = (folder: string): string => join(root, folder, 'src/index.ts')

function exportsOf(folder: string): readonly { readonly name: string; readonly documented: boolean }[] {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(indexOf(folder))
  const module = file && checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${folder} exports nothing`)
  return checker.getExportsOfModule(module).map((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
    return { name: exported.name, documented: symbol.getDocumentationComment(checker).length > 0 }
  })
}
