import { isRowkeyError } from 'rowkey/codec'
import { exitCodes, Failure } from './failure.js'
import type { Surroundings } from './shell.js'
import { withoutSecrets } from './text/secrets.js'

/** Codes of what is well-formed, and which rowkey does not do. */
const refusals: ReadonlySet<string> = new Set([
  'FULL_SCAN_REFUSED',
  'PARTITION_REQUIRED',
  'TOO_MANY_RANGES',
  'FAN_OUT_EXCEEDED',
  'ORDER_UNAVAILABLE',
  'NOT_SUPPORTED',
])

/** Codes of what a store is or does, which other arguments do not change. */
const ofStores: ReadonlySet<string> = new Set([
  'INDEX_NOT_READABLE',
  'TABLE_NOT_FOUND',
  'TABLE_NOT_EMPTY',
  'SCHEMA_MISMATCH',
  'STORE_REFUSED',
  'STORE_UNAVAILABLE',
  'STORE_UNUSABLE',
  'OUTCOME_UNKNOWN',
  'WRITE_FAILED',
  'WRITE_INCOMPLETE',
  'COPY_MISMATCH',
  'COPY_COLLISION',
  'CORRUPT_ROW',
  'UNREADABLE_ROW',
  'ADAPTER_FAULT',
  'CLOSED',
])

/** What messages that are written for code say at a terminal. */
const hints: Readonly<Record<string, string>> = {
  FULL_SCAN_REFUSED: 'On the command line that is --unbounded.',
  TOO_MANY_RANGES: 'On the command line that is --max-ranges.',
  FAN_OUT_EXCEEDED: 'On the command line that is --max-fan-out.',
  TABLE_NOT_FOUND: 'On the command line, import --create and copy --create make it.',
  TABLE_NOT_EMPTY: 'On the command line that is --overwrite, or --checkpoint with the file of that copy.',
}

/** What the person at the terminal is told about an error, and the exit code. It contains no credential. */
export function told(error: unknown, isDebug: boolean, env: Surroundings['env']): { readonly text: string; readonly exitCode: number } {
  const { text, exitCode } = toldOf(error, isDebug)
  return { text: withoutSecrets(text, env), exitCode }
}

function toldOf(error: unknown, isDebug: boolean): { readonly text: string; readonly exitCode: number } {
  const isOurs = error instanceof Failure || isRowkeyError(error)
  const message = error instanceof Error ? error.message : String(error)
  const stack = isDebug && error instanceof Error ? `\n${stacks(error)}` : ''
  const hint = isRowkeyError(error) && hints[error.code] !== undefined ? `\n${hints[error.code] ?? ''}` : ''
  if (isOurs) return { text: `rowkey: ${message}${hint}${stack}`, exitCode: exitCodeOf(error) }
  const remedy = isDebug ? '' : '\nThis is a bug of rowkey. Run it again with --debug for a report.'
  return { text: `rowkey: ${message}${remedy}${stack}`, exitCode: exitCodes.usage }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Failure) return error.exitCode
  if (isRowkeyError(error) && ofStores.has(error.code)) return exitCodes.store
  return isRowkeyError(error) && refusals.has(error.code) ? exitCodes.refused : exitCodes.usage
}

/** The stack of an error and of its causes. */
function stacks(error: Error): string {
  const own = error.stack ?? ''
  return error.cause instanceof Error ? `${own}\nCaused by: ${stacks(error.cause)}` : own
}
