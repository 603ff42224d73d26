import type { StandardSchema } from '@rowkey/model'
import { RowkeyError, show } from '@rowkey/codec'
import { isPromise } from '@rowkey/store'

/** One thing that a check says of a row. */
export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What a Standard Schema says of a value at `path`; a promise only if the schema gives one. */
export function issuesOf(
  schema: StandardSchema,
  value: unknown,
  path: readonly PropertyKey[],
  table: string,
): readonly Issue[] | Promise<readonly Issue[]> {
  const result = schema['~standard'].validate(value)
  return isPromise(result) ? handled(result.then((late) => placed(late, path, table))) : placed(result, path, table)
}

/** A promise that may be left alone when another check throws first; who waits for it hears of its rejection all the same. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

type Result = Awaited<ReturnType<StandardSchema['~standard']['validate']>>

/** @throws RowkeyError `INVALID_OPTION` if it is no result of a Standard Schema */
function placed(result: Result, above: readonly PropertyKey[], table: string): readonly Issue[] {
  if (typeof result !== 'object' || (result as object | null) === null) throw noResult(result, above, table)
  const { issues } = result
  if (issues === undefined) return none
  if (!Array.isArray(issues)) throw noResult(result, above, table)
  if (issues.length === 0) return [{ message: 'is refused without a reason', path: above }] // only no issues at all are a success
  return (issues as NonNullable<Result['issues']>).map(({ message, path = [] }) => ({
    message,
    // Not path.map(): arktype's is a list of a class of its own, which would make another of them.
    path: [...above, ...Array.from(path, (part) => (typeof part === 'object' ? part.key : part))],
  }))
}

function noResult(result: unknown, path: readonly PropertyKey[], table: string): Error {
  const of = path.length === 0 ? `rows of '${table}'` : `column '${path.map(String).join('.')}' of '${table}'`
  const message = `a check of ${of} gave ${show(result)}, which is no result of a Standard Schema. Return { value } or { issues: [{ message }] }.`
  return new RowkeyError('INVALID_OPTION', message, { option: 'checks', value: show(result) })
}

const none: readonly Issue[] = []
