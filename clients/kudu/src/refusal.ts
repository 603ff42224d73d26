// Tested by operations.test.ts and conditions.test.ts.
import { KuduError } from './error.js'
import { show } from './show.js'

/** What is wrong with a part of a request. The call that it belongs to turns it into a {@link KuduError}. */
export class Refusal extends Error {
  readonly path: string
  readonly problem: string

  constructor(path: string, problem: string) {
    super(problem)
    this.path = path
    this.problem = problem
  }
}

/** Each element of a list by `write`; what is wrong with one names its place. */
export function each<Element>(path: string, elements: readonly Element[], write: (element: Element) => void): void {
  let index = 0
  try {
    for (; index < elements.length; index++) write(elements[index] as Element)
  } catch (error) {
    throw within(`${path}[${index}]`, error)
  }
}

/** What is wrong with a part, told from the whole. */
export const within = (path: string, error: unknown): unknown =>
  error instanceof Refusal ? new Refusal(error.path === '' ? path : `${path}.${error.path}`, error.problem) : error

/** What `check` returns; what is wrong is told from the whole. */
export function inside<Value>(path: string, check: () => Value): Value {
  try {
    return check()
  } catch (error) {
    throw within(path, error)
  }
}

/** The error of a call that cannot be sent. */
function refused(call: string, { path, problem }: Refusal): KuduError {
  return new KuduError('INVALID_ARGUMENT', `${call}() was not sent: ${path === '' ? problem : `${path} ${problem}`}.`, {
    call,
    isSent: false,
  })
}

/** What `check` returns. @throws KuduError with `INVALID_ARGUMENT` for whatever it throws */
export function refusing<Value>(call: string, check: () => Value): Value {
  try {
    return check()
  } catch (error) {
    if (error instanceof KuduError) throw error
    if (error instanceof Refusal) throw refused(call, error)
    const problem = `${call}() was not sent: an argument is not what its type says (${(error as Error).message}).`
    throw new KuduError('INVALID_ARGUMENT', problem, { call, isSent: false }, { cause: error })
  }
}

/** The names of an object's properties: the compiler refuses a list that lacks one, or has another. */
export type Names<T extends object> = Readonly<Record<keyof Required<T>, true>>

/** Refuses a property that does not exist: a misspelt one would be passed over. */
export function checkNames<T extends object>(given: T, known: Names<T>, path = ''): void {
  for (const name in given) {
    if (known[name] === true || !Object.hasOwn(given, name)) continue
    throw new Refusal(path === '' ? show(name) : `${path}.${show(name)}`, `does not exist. There are ${Object.keys(known).join(', ')}`)
  }
}

export function checkList(path: string, elements: readonly unknown[]): void {
  if (!Array.isArray(elements)) throw new Refusal(path, `is ${kindOf(elements)}. Give an array`)
}

export function checkObject(path: string, value: object): void {
  if (typeof value !== 'object' || (value as object | null) === null || Array.isArray(value))
    throw new Refusal(path, `is ${kindOf(value)}. Give an object`)
}

/** What a value is instead of what it should be. Objects are not shown: they may be large or hold secrets. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Uint8Array) return 'bytes'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
