// Tested by load-models.test.ts.
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Whether only a compiler can load a file. Node.js may strip types, but decorators need more. */
export const isTypeScript = (file: string): boolean => /\.[cm]?ts$/.test(file)

/** Codes of what Node.js alone does not import, and a compiler may. */
const codes: ReadonlySet<unknown> = new Set([
  'ERR_IMPORT_ASSERTION_TYPE_MISSING',
  'ERR_IMPORT_ATTRIBUTE_MISSING',
  'ERR_MODULE_NOT_FOUND',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_REQUIRE_ASYNC_MODULE',
  'ERR_REQUIRE_CYCLE_MODULE',
  'ERR_REQUIRE_ESM',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNSUPPORTED_ESM_URL_SCHEME',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
])

/**
 * Whether an import has failed for what a compiler may load: TypeScript, endings left out, JSON, syntax of tomorrow.
 *
 * @param hasPaths whether a tsconfig may say where packages are
 */
export function isCompilerMissing(error: unknown, hasPaths: boolean): boolean {
  if (error instanceof SyntaxError) return true
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'MODULE_NOT_FOUND' ? isTypeScriptRequired(error, hasPaths) : codes.has(error.code)
}

const endings = ['.ts', '.tsx', '.mts', '.cts', '/index.ts', '/index.tsx']

/** What requires something has already begun, so it begins again only if there is something to compile. */
function isTypeScriptRequired(error: Error & { readonly requireStack?: readonly string[] }, hasPaths: boolean): boolean {
  const [, name = ''] = /^Cannot find module '(.+?)'/.exec(error.message) ?? []
  const [from = ''] = error.requireStack ?? []
  if (!/^[./]/.test(name)) return hasPaths
  const path = resolve(dirname(from), name)
  return endings.some((ending) => existsSync(path.replace(/\.[cm]?jsx?$/, '') + ending) || existsSync(path + ending))
}

/** Leaves out what Node.js says of its own ways to load files. A compiler has none of them. */
export function muteLoader(): void {
  const printers = process.listeners('warning')
  process.removeAllListeners('warning').on('warning', (warning) => {
    const isOfLoader =
      warning.name === 'ExperimentalWarning' ||
      ('code' in warning && warning.code === 'MODULE_TYPELESS_PACKAGE_JSON') ||
      /^(?:To load an|Failed to load the) ES module/.test(warning.message)
    if (!isOfLoader) for (const print of printers) print(warning)
  })
}
