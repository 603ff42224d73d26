// The public surface of every package, as its built declarations say it: a text per package beside this file.
// `pnpm api` writes them, `pnpm check:api` fails where they are not what the packages have.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { published, root } from '../packaging/workspace.mjs'

const isWriting = process.argv.includes('--write')
const packages = published.map(({ folder, manifest }) => ({ folder, name: manifest.name, entries: entriesOf(folder, manifest) }))
const program = ts.createProgram(
  packages.flatMap(({ entries }) => entries.map(({ file }) => file)),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true, skipLibCheck: true, noEmit: true, types: [] },
)
const checker = program.getTypeChecker()
const printer = ts.createPrinter({ removeComments: true })

function entriesOf(folder, { exports }) {
  return Object.entries(exports).map(([path, { types }]) => ({ path, file: join(root, folder, types) }))
}

const packageOf = (node) => {
  const path = relative(root, node.getSourceFile().fileName)
  return packages.find(({ folder }) => path.startsWith(`${folder}/dist/`))
}
const resolved = (symbol) => ((symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol))
const byName = (a, b) => (a < b ? -1 : 1)

/** A declaration as it stands, without comments and private members, on as many lines as the printer takes. */
function textOf(declaration) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const isPrivate = (member) => (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0
  const shown = ts.isClassDeclaration(statement)
    ? ts.factory.updateClassDeclaration(
        statement,
        statement.modifiers,
        statement.name,
        statement.typeParameters,
        statement.heritageClauses,
        statement.members.filter((member) => !isPrivate(member)),
      )
    : statement
  return printer
    .printNode(ts.EmitHint.Unspecified, shown, statement.getSourceFile())
    .replaceAll(/\b(?:export|declare) (?=(?:declare )?(?:abstract )?(?:class|const|function|interface|type|let)\b)/g, '')
    .replaceAll(/^ +/gm, (spaces) => ' '.repeat(spaces.length / 2))
}

/** What a symbol is declared as. A namespace is a file: its exports stand in braces. */
function textsOf(symbol, name) {
  const { declarations } = symbol
  if (!ts.isSourceFile(declarations[0])) {
    const alias = name === symbol.name ? [] : [`export { ${symbol.name} as ${name} }`]
    return [...alias, ...declarations.map(textOf)].join('\n')
  }
  const members = checker.getExportsOfModule(symbol).toSorted((a, b) => byName(a.name, b.name))
  const texts = members.flatMap((member) => textsOf(resolved(member), member.name).split('\n'))
  return `namespace ${name} {\n${texts.map((line) => `  ${line}`).join('\n')}\n}`
}

/** What a declaration names and the same package declares. */
function namedIn(declaration, own) {
  const found = new Set()
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const symbol = checker.getSymbolAtLocation(node)
      const target = symbol && resolved(symbol)
      const at = target?.declarations?.[0]
      const isTop =
        at !== undefined && (ts.isSourceFile(at.parent) || (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent)))
      if (isTop && packageOf(at) === own) found.add(target)
    }
    ts.forEachChild(node, visit)
  }
  visit(declaration)
  return found
}

function reportOf(own) {
  const sections = [`# ${own.name}`, 'Written by `pnpm api`.']
  const exported = new Set()
  const waiting = []
  for (const { path, file } of own.entries) {
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)))
    const foreign = new Map()
    const texts = []
    for (const symbol of symbols.toSorted((a, b) => byName(a.name, b.name))) {
      const target = resolved(symbol)
      const { declarations = [] } = target
      const from = packageOf(declarations[0])
      if (from !== own) {
        foreign.set(from?.name, [...(foreign.get(from?.name) ?? []), symbol.name])
        continue
      }
      exported.add(target)
      waiting.push(target)
      texts.push(textsOf(target, symbol.name))
    }
    const lines = [...foreign]
      .toSorted(([a], [b]) => byName(a, b))
      .map(([from, names]) => `from ${from}:\n${names.map((name) => ` ${name}`).join('\n')}`)
    sections.push(`## ${path === '.' ? own.name : own.name + path.slice(1)}`, `${symbols.length} exports`, block([...lines, ...texts]))
  }
  const hidden = new Map()
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    for (const declaration of target.declarations) {
      for (const named of namedIn(declaration, own)) {
        if (exported.has(named) || [...hidden.values()].includes(named)) continue
        hidden.set(`${named.name} ${relative(root, named.declarations[0].getSourceFile().fileName)}`, named)
        waiting.push(named)
      }
    }
  }
  if (hidden.size > 0) {
    const texts = [...hidden].toSorted(([a], [b]) => byName(a, b)).map(([, { declarations }]) => declarations.map(textOf).join('\n'))
    sections.push('## Named in these and not exported', block(texts))
  }
  return `${sections.join('\n\n')}\n`
}

const block = (texts) => `\`\`\`ts\n${texts.join('\n\n')}\n\`\`\``

let isSame = true
for (const own of packages) {
  const missing = own.entries.filter(({ file }) => !existsSync(file))
  if (missing.length > 0) throw new Error(`${missing[0].file} is not there. Run \`pnpm build\` first.`)
  const name = `test/api/${own.name.replace('@rowkey/', '')}.api.md`
  const path = join(root, name)
  const text = reportOf(own)
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (isWriting) writeFileSync(path, text)
  else if (text !== before) {
    isSame = false
    const [gone, come] = [lacking(before, text), lacking(text, before)]
    console.error(
      `${name} is not what ${own.name} exports:\n${[...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)].join('\n')}`,
    )
  }
}
if (!isSame) {
  console.error('\nIf the change of the public surface is meant, run `pnpm api`, and say it in a changeset.')
  process.exitCode = 1
}

/** Lines of one text that another has not, or not as often. */
function lacking(text, other) {
  const counts = new Map()
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return text.split('\n').filter((line) => {
    const left = counts.get(line) ?? 0
    counts.set(line, left - 1)
    return left <= 0
  })
}
