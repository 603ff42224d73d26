import ts from 'typescript'
import { kindNames } from '../kit/kind-names.js'
import { root } from './sources.js'

/** The kinds of column types and of salts. */
const kinds = new Set([...kindNames, ...['hash', 'modulo', 'hashPrefix', 'hashPartition']])
const codec = 'packages/rowkey/src/codec/'
/** Calls that look something up by their first argument. */
const lookups = new Set(['has', 'get', 'includes', 'hasOwn', 'startsWith', 'endsWith', 'indexOf', 'test'])

/** Everywhere outside the codec where the kind of a column type or of a salt decides, as `path: text`. */
export function branchesOnKinds(files: readonly string[], text?: (path: string) => string | undefined): readonly string[] {
  const program = programOf(files, text)
  const checker = program.getTypeChecker()
  return files
    .filter((path) => !path.startsWith(codec))
    .flatMap((path) => {
      const source = program.getSourceFile(root + path)
      if (source === undefined) throw new Error(`${path} is not a part of the program`)
      const found: string[] = []
      const visit = (node: ts.Node): void => {
        for (const decided of decidersOf(node)) {
          if (isKind(checker, decided)) found.push(`${path}: ${node.getText(source).split('\n')[0] ?? ''}`)
        }
        ts.forEachChild(node, visit)
      }
      visit(source)
      return found
    })
}

/** The expressions whose values decide at this node. */
function decidersOf(node: ts.Node): readonly ts.Expression[] {
  if (ts.isSwitchStatement(node)) return [node.expression]
  if (ts.isElementAccessExpression(node)) return [node.argumentExpression]
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    if (kind === ts.SyntaxKind.InKeyword) return [node.left]
    const isComparison =
      kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
      kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ||
      kind === ts.SyntaxKind.EqualsEqualsToken ||
      kind === ts.SyntaxKind.ExclamationEqualsToken
    return isComparison ? [node.left, node.right].filter((side) => !ts.isStringLiteral(side)) : []
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression } = node.expression
  return lookups.has(name.text) ? [expression, ...node.arguments] : []
}

function withoutAssertions(expression: ts.Expression): ts.Expression {
  const isOuter =
    ts.isParenthesizedExpression(expression) ||
    ts.isAsExpression(expression) ||
    ts.isNonNullExpression(expression) ||
    ts.isSatisfiesExpression(expression)
  return isOuter ? withoutAssertions(expression.expression) : expression
}

/** Whether a value is the kind of a type or a salt: it is a property of that name which the codec declares, or its type names such kinds only. */
function isKind(checker: ts.TypeChecker, expression: ts.Expression): boolean {
  const bare = withoutAssertions(expression)
  if (ts.isStringLiteralLike(bare)) return false
  if (ts.isPropertyAccessExpression(bare) && bare.name.text !== 'kind') return false
  const symbol = checker.getSymbolAtLocation(ts.isPropertyAccessExpression(bare) ? bare.name : bare)
  const binding = symbol?.declarations?.find(ts.isBindingElement)
  if (binding !== undefined && (binding.propertyName ?? binding.name).getText() !== 'kind') return false
  if (symbol?.name === 'kind' && declaredKind(checker, symbol, bare)) return true
  const initializer = symbol?.declarations?.find(ts.isVariableDeclaration)?.initializer
  if (initializer !== undefined && isKind(checker, initializer)) return true
  return [bare, expression].some((each) => {
    const type = checker.getTypeAtLocation(each)
    const isOfCodec = type.aliasSymbol?.declarations?.some((declaration) => isInCodec(declaration)) === true
    return isOfCodec && areKinds(literalsOf(type))
  })
}

const isInCodec = (node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(root + codec)

const areKinds = (names: readonly string[]): boolean => names.length > 1 && names.every((name) => kinds.has(name))

/** A property `kind` of a type or salt of the codec; that of a default is another thing. */
function declaredKind(checker: ts.TypeChecker, symbol: ts.Symbol, at: ts.Node): boolean {
  const { declarations = [] } = symbol
  return declarations.some((declaration) => {
    if (ts.isBindingElement(declaration) || ts.isVariableDeclaration(declaration) || ts.isParameter(declaration)) {
      return areKinds(literalsOf(checker.getTypeOfSymbolAtLocation(symbol, declaration)))
    }
    if (!isInCodec(declaration)) return false
    const names = literalsOf(checker.getTypeOfSymbolAtLocation(symbol, at))
    return names.length === 0 || (names.every((name) => kinds.has(name)) && !isDefault(declaration))
  })
}

function isDefault(node: ts.Node): boolean {
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (ts.isTypeAliasDeclaration(at) || ts.isInterfaceDeclaration(at)) return at.name.text === 'Default'
  }
  return false
}

/** The texts that a type allows, if it allows no others. */
function literalsOf(type: ts.Type): readonly string[] {
  const parts = (type.isUnion() ? type.types : [type]).filter(({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0)
  const names = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []))
  return names.length === parts.length ? names : []
}

function programOf(files: readonly string[], text: (path: string) => string | undefined = () => undefined): ts.Program {
  const { config } = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path)) as { config: object }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const { composite, tsBuildInfoFile, rootDir, outDir, isolatedDeclarations, declarationMap, ...rest } = options
  const all: ts.CompilerOptions = { ...rest, noEmit: true, types: [] }
  const host = ts.createCompilerHost(all)
  const readFile = host.readFile.bind(host)
  const fileExists = host.fileExists.bind(host)
  const own = (path: string): string | undefined => (path.startsWith(root) ? text(path.slice(root.length)) : undefined)
  host.readFile = (path) => own(path) ?? readFile(path)
  host.fileExists = (path) => own(path) !== undefined || fileExists(path)
  return ts.createProgram(files.map((path) => root + path), all, host) // prettier-ignore
}
