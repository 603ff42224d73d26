// Tested by row-checks.test.ts.
import type { StandardSchema } from '#model'
import { RowkeyError } from '#codec'
import { show, showName, showPath } from '#codec/internal'
import { isPromise } from '#store/adapter'

/** One issue that a check found in a row. */
export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The issues that a Standard Schema finds in the value at `path`; a promise only if the schema returns one. */
export function issuesOf(
  schema: StandardSchema,
  value: unknown,
  path: readonly PropertyKey[],
  table: string,
): readonly Issue[] | Promise<readonly Issue[]> {
  const result = schema['~standard'].validate(value)
  return isPromise(result) ? handled(result.then((late) => placed(late, path, table))) : placed(result, path, table)
}

/** A promise that nobody may wait for, if another check throws first. Whoever waits for it still gets its rejection. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

type Result = Awaited<ReturnType<StandardSchema['~standard']['validate']>>

/** @throws RowkeyError `INVALID_OPTION` if it is not a result of a Standard Schema */
function placed(result: Result, above: readonly PropertyKey[], table: string): readonly Issue[] {
  if (typeof result !== 'object' || (result as object | null) === null) throw noResult(result, above, table)
  const { issues } = result
  if (issues === undefined) return none
  if (!Array.isArray(issues)) throw noResult(result, above, table)
  if (issues.length === 0) return [{ message: 'is refused without a reason', path: above }] // an empty list is not success, only no list is
  return (issues as NonNullable<Result['issues']>).map(({ message, path = [] }) => ({
    message,
    path: [...above, ...stepsOf(path)],
  }))
}

/** The place of an issue: the column, then what is inside its value. */
export const pathText = (path: readonly PropertyKey[]): string => showPath(path.map((step, i) => `${i === 0 ? '' : '.'}${showName(step)}`))

/** The steps of a path, whose names come from the row that was checked. No value of a row has more of them. */
function stepsOf(path: Iterable<PropertyKey | { readonly key: PropertyKey }>): PropertyKey[] {
  const steps: PropertyKey[] = []
  for (const part of path) {
    const step = typeof part === 'object' ? part.key : part
    steps.push(typeof step === 'string' ? showName(step) : step)
    if (steps.length === maxSteps) break
  }
  return steps
}

const maxSteps = 1000

function noResult(result: unknown, path: readonly PropertyKey[], table: string): Error {
  const of = path.length === 0 ? `rows of '${table}'` : `column '${pathText(path)}' of '${table}'`
  const message = `a check of ${of} returned ${show(result)}, which is not a result of a Standard Schema. Return { value } or { issues: [{ message }] }.`
  return new RowkeyError('INVALID_OPTION', message, { option: 'checks', value: show(result) })
}

const none: readonly Issue[] = []
