// Tested by advise.test.ts.
import { RowkeyError } from 'rowkey/codec'
import { isPlainObject, show } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import type { Advice, Finding } from './finding.js'
import { checkFields } from './known-fields.js'

/**
 * A finding that is meant. It is told all the same, among `ignored`, with the reason.
 *
 * A model can contain its own, by code: `stores: { advisor: { ignore: { 'monotonic-first': 'one writer, ten rows a second' } } }`.
 */
export interface Ignore {
  readonly code: string
  /** All tables if it is absent. */
  readonly table?: string
  /** All columns if it is absent. */
  readonly column?: string
  /** Why, for those who read it later. */
  readonly reason: string
}

/**
 * Findings without those that are ignored, and what ignores nothing as findings of their own.
 *
 * @param isJudged whether what it needs was given, so that its absence says something
 */
export function ignoredIn(
  all: readonly Finding[],
  schemas: readonly TableSchema[],
  given: readonly Ignore[],
  isJudged: (ignore: Ignore) => boolean,
): Advice {
  const ignores = [...given.map(checked), ...schemas.flatMap(inModel)]
  const matching = (finding: Finding): Ignore | undefined => ignores.find((each) => matches(each, finding))
  const told = all.map((finding) => ({ finding, by: matching(finding) }))
  const unused = ignores.filter((each) => isJudged(each) && !all.some((finding) => matches(each, finding)))
  return {
    findings: [...told.flatMap(({ finding, by }) => (by === undefined ? [finding] : [])), ...unused.map(unusedIgnore)],
    ignored: told.flatMap(({ finding, by }) => (by === undefined ? [] : [{ ...finding, reason: by.reason }])),
  }
}

const matches = ({ code, table, column }: Ignore, finding: Finding): boolean =>
  code === finding.code && (table === undefined || table === finding.table) && (column === undefined || column === finding.column)

function checked(given: Ignore): Ignore {
  if (typeof given.reason === 'string' && given.reason.trim() !== '') return given
  throw refused(`ignore of ${show(given.code)} has the reason ${show(given.reason)}. Say why, for those who read it later.`, given.code)
}

/** @throws RowkeyError `INVALID_OPTION` for what is not of the form of {@link Ignore} */
function inModel({ name, stores }: TableSchema): readonly Ignore[] {
  const { advisor } = stores
  if (advisor === undefined) return []
  const ignore = isPlainObject(advisor) ? advisor['ignore'] : undefined
  if (!isPlainObject(ignore)) throw refused(`stores.advisor of '${name}' is ${show(advisor)}. Give { ignore: { code: reason } }.`, advisor)
  checkFields(`stores.advisor of '${name}'`, advisor as object, ['ignore'])
  return Object.entries(ignore).map(([code, reason]) => checked({ code, reason: reason as string, table: name }))
}

const unusedIgnore = ({ code, table, column, reason }: Ignore): Finding => ({
  code: 'unused-ignore',
  severity: 'info',
  table: table ?? '*',
  stage: 'model',
  guides: [],
  ...(column === undefined ? {} : { column }),
  evidence: `0 findings with the code ${code}`,
  message: `'${code}' is ignored${table === undefined ? '' : ` in '${table}'`} (${reason}), and there is no such finding any more.`,
  fix: 'Remove it.',
})

const refused = (message: string, value: unknown): Error =>
  new RowkeyError('INVALID_OPTION', message, { option: 'ignore', value: show(value) })
