import { isPlainObject, said, show, showName, showPath } from '@rowkey/codec/internal'

const maxDepth = 1000 // the same as in json() of the codec

/** The approximate maximum length of a schema as JSON, in characters: enough for 250 columns with defaults of the maximum length. */
const maxLength = 16_777_216
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

function copied(given: unknown, walk: Walk): unknown {
  take(walk, perValue)
  if (given === null || typeof given === 'boolean') return given
  if (typeof given === 'string') {
    take(walk, given.length)
    return given
  }
  if (typeof given === 'number' && Number.isFinite(given)) return given
  if (walk.path.length === walk.levels) throw new NotPlain(pathOf(walk), `is more than ${walk.levels} levels deep`)
  if (Array.isArray(given)) return Object.freeze(copiedItems(given, walk))
  if (isPlainObject(given)) return Object.freeze(copiedEntries(given, walk))
  throw new NotPlain(pathOf(walk), `is ${show(given)}, which is not JSON data`)
}

function copiedItems(list: readonly unknown[], walk: Walk): unknown[] {
  const { length } = list
  const items: unknown[] = []
  for (let i = 0; i < length; i++) items.push(inside(i, list[i], walk))
  return items
}

function copiedEntries(object: Readonly<Record<string, unknown>>, walk: Walk): object {
  const names = Object.keys(object).sort()
  for (const name of names) take(walk, name.length)
  return Object.fromEntries(names.map((name) => [name, inside(name, object[name], walk)]))
}

function inside(step: string | number, given: unknown, walk: Walk): unknown {
  walk.path.push(step)
  const copy = copied(given, walk)
  walk.path.pop()
  return copy
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
