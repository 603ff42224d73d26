import type { StandardSchema } from '@rowkey/model'
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
): readonly Issue[] | Promise<readonly Issue[]> {
  const result = schema['~standard'].validate(value)
  return isPromise(result) ? handled(result.then(({ issues }) => placed(issues, path))) : placed(result.issues, path)
}

/** A promise that may be left alone when another check throws first; who waits for it hears of its rejection all the same. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

type Given = Awaited<ReturnType<StandardSchema['~standard']['validate']>>['issues']

function placed(issues: Given, above: readonly PropertyKey[]): readonly Issue[] {
  if (issues === undefined) return none
  return issues.map(({ message, path = [] }) => ({
    message,
    // Not path.map(): arktype's is a list of a class of its own, which would make another of them.
    path: [...above, ...Array.from(path, (part) => (typeof part === 'object' ? part.key : part))],
  }))
}

const none: readonly Issue[] = []
