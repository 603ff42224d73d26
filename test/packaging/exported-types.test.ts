import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { build } from '../setup/build.js'

// What the signatures of `rowkey` name can be imported, and what can be imported is in the reference.

const types = fileURLToPath(new URL('../../packages/rowkey/dist/types/', import.meta.url))
/** Where the names may be: in `rowkey`, where a column type or an adapter is written, or in a namespace of one of them. */
const entries = ['index', 'codec/index', 'adapter'].map((name) => `${types}${name}.d.ts`)
/** What the compiler computes with, and parts of a type that are reached through it: no program writes them down. */
const machinery = [
  'As',
  'ClassValidationError',
  'ClassValidatorStorage',
  'CopySource',
  'CopyTarget',
  'FirstIn',
  'IfUnknown',
  'InstantAs',
  'InstantDefault',
  'Int64Factory',
  'InvalidSchemaDetails',
  'JsonMember',
  'NoneAfter',
  'NotIn',
  'PaddedTraits',
  'ReadCode',
  'SchemaChecks',
  'SeparatedTraits',
  'StandardResult',
  'Value',
  'AddressOf',
  'AnyFieldDecorator',
  'ClassDecoratorFor',
  'ColumnDecorator',
  'Constructor',
  'Defined',
  'DefinitionOf',
  'FieldDecorator',
  'PlaceOf',
  'TableDecorator',
  'Uncalled',
]

let checker: ts.TypeChecker
let program: ts.Program
beforeAll(() => {
  build('tsconfig.build.json')
  program = ts.createProgram(entries, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    customConditions: [],
    types: [],
    skipLibCheck: true,
  })
  checker = program.getTypeChecker()
})

const resolved = (symbol: ts.Symbol): ts.Symbol => ((symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol))

/** The names of an entry with what they are, those of its namespaces as `Where.Range`. */
function exportsOf(module: ts.Symbol, before = ''): (readonly [name: string, symbol: ts.Symbol])[] {
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const one = resolved(symbol)
    const inner = (one.flags & ts.SymbolFlags.ValueModule) === 0 ? [] : exportsOf(one, `${symbol.name}.`)
    return [[before + symbol.name, one] as const, ...inner]
  })
}
function exportsIn(entry: string | undefined): (readonly [name: string, symbol: ts.Symbol])[] {
  const file = program.getSourceFile(entry ?? '')
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`no ${entry}`)
  return exportsOf(module)
}

/** The types of this package that a declaration names; of a computed type, what it computes with is its own affair. */
function namedIn(declaration: ts.Declaration): ts.Symbol[] {
  const named: ts.Symbol[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeAliasDeclaration(node) && !ts.isTypeLiteralNode(node.type) && !ts.isUnionTypeNode(node.type)) return
    if (ts.isTypeReferenceNode(node)) {
      const symbol = checker.getSymbolAtLocation(node.typeName)
      if (symbol !== undefined) named.push(resolved(symbol))
    }
    ts.forEachChild(node, visit)
  }
  visit(declaration)
  return named.filter((symbol) => symbol.declarations?.[0]?.getSourceFile().fileName.includes('/rowkey/dist/types/') === true)
}

function lacking(names: readonly (readonly [string, ts.Symbol])[], known: ReadonlySet<ts.Symbol>): string[] {
  const found = names.flatMap(([name, { declarations = [] }]) =>
    declarations.flatMap((declaration) =>
      namedIn(declaration)
        .filter((symbol) => (symbol.flags & ts.SymbolFlags.TypeParameter) === 0 && !known.has(symbol) && !machinery.includes(symbol.name))
        .map((symbol) => `${symbol.name} of ${name}`),
    ),
  )
  return [...new Set(found)]
}

test('what the signatures of rowkey name is exported', () => {
  const [root] = entries
  const known = new Set(entries.flatMap((entry) => exportsIn(entry).map(([, symbol]) => symbol)))
  expect(lacking(exportsIn(root), known)).toEqual([])
  // A type that is missing is seen.
  const planted = exportsIn(root).find(([name]) => name === 'Options.RetryOptions')
  if (planted === undefined) throw new Error('no Options.RetryOptions')
  known.delete(planted[1])
  expect(lacking(exportsIn(root), known)).toEqual(['RetryOptions of MapperOptions'])
})

test('every name of rowkey is in the reference', () => {
  const reference = readFileSync(new URL('../../docs/reference.md', import.meta.url), 'utf8')
  const [root] = entries
  const missing = exportsIn(root)
    .map(([name]) => name.slice(name.indexOf('.') + 1))
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(reference))
  expect(missing).toEqual([])
})
