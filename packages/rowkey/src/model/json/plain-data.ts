// Tested by read-schema-json.test.ts.
import { isPlainObject, said, show, showName, showPath } from '#codec/internal'

const maxDepth = 1000 // the same as in json() of the codec

/** The approximate maximum length of a schema as JSON, in characters: enough for 250 columns with defaults of the maximum length. */
export const maxLength = 16_777_216
/** What each value counts in addition to its text. */
const perValue = 16

/** What is not plain JSON data, and where. */
export class NotPlain extends Error {
  readonly path: string

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.path = path
  }
}

/**
 * A deep-frozen copy of plain JSON data with sorted keys, so that equal data makes equal text; undefined if `given` is anything else
 * (functions, classes, bigint, NaN, cycles, more than 1,000 levels).
 */
export function plainData(given: unknown): unknown {
  try {
    return plainCopy(given)
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

/**
 * The same, but throws a reason. Everything is read once, and no more of it than a schema may contain, because lists that contain each
 * other several times would make an endless text.
 *
 * @param levels how deep lists and objects may be nested
 * @throws NotPlain
 */
export function plainCopy(given: unknown, levels: number = maxDepth): unknown {
  const walk: Walk = { path: [], room: maxLength, levels }
  try {
    return copied(given, walk)
  } catch (error) {
    if (error instanceof NotPlain) throw error
    // From a getter or a proxy.
    throw new NotPlain(pathOf(walk), `cannot be read (${said(error)})`, { cause: error })
  }
}

/** The levels of a whole schema, whose `stores` are one level down. */
export const schemaLevels: number = maxDepth + 1

interface Walk {
  readonly path: (string | number)[]
  readonly levels: number
  room: number
}

/** A list or object of which some items are copied. */
interface Open {
  readonly given: Readonly<Record<string | number, unknown>>
  /** undefined for a list. */
  readonly names: readonly string[] | undefined
  readonly length: number
  readonly copies: unknown[]
}

/** A loop, not a function that calls itself: what is left of the call stack is up to the caller. */
function copied(root: unknown, walk: Walk): unknown {
  const open: Open[] = []
  let given = root
  for (;;) {
    let opened = openedAt(given, walk)
    let copy = given
    // To the next item, in this object or in the first one around it that has some left.
    for (; opened === undefined || opened.copies.length === opened.length; opened = open.pop()) {
      if (opened !== undefined) copy = closed(opened)
      const around = open.at(-1)
      if (around === undefined) return copy
      around.copies.push(copy)
      walk.path.pop()
    }
    const step = opened.names?.[opened.copies.length] ?? opened.copies.length
    open.push(opened)
    given = opened.given[step]
    walk.path.push(step)
  }
}

/** A list or object before its items; undefined for what has none. */
function openedAt(given: unknown, walk: Walk): Open | undefined {
  take(walk, perValue)
  if (given === null || typeof given === 'boolean') return undefined
  if (typeof given === 'string') {
    take(walk, given.length)
    return undefined
  }
  if (typeof given === 'number' && Number.isFinite(given)) return undefined
  if (walk.path.length === walk.levels) throw new NotPlain(pathOf(walk), `is more than ${walk.levels} levels deep`)
  if (Array.isArray(given)) return { given: given as unknown as Open['given'], names: undefined, length: given.length, copies: [] }
  if (!isPlainObject(given)) throw new NotPlain(pathOf(walk), `is ${show(given)}, which is not JSON data`)
  const names = Object.keys(given).sort()
  for (const name of names) take(walk, name.length)
  return { given, names, length: names.length, copies: [] }
}

function closed({ names, copies }: Open): unknown {
  return Object.freeze(names === undefined ? copies : Object.fromEntries(names.map((name, i) => [name, copies[i]])))
}

function take(walk: Walk, characters: number): void {
  walk.room -= characters
  if (walk.room < 0) throw new NotPlain('', `is more than about ${maxLength} characters long`)
}

/** The place as code would write it: `columns[0].type`. */
function pathOf({ path }: Walk): string {
  return showPath(
    path.map((step, i) => {
      if (typeof step === 'number') return `[${step}]`
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(step)) return `[${show(step)}]`
      return i === 0 ? showName(step) : `.${showName(step)}`
    }),
  )
}
