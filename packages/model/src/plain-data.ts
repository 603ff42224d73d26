import { isPlainObject, show } from '@rowkey/codec'

const deepest = 1000 // as the codec's json()

/** Characters of a schema as JSON, about: 250 columns with a default as long as a column may be are within it. */
const longest = 16_777_216
/** What a value takes in addition to its text. */
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
 * A deep-frozen copy of plain JSON data with sorted keys, so that equal data give equal text; undefined where `given` is anything else
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
 * The same, with a reason. Everything is read once, and no more of it than a schema may be: lists that hold each other several times would
 * be a text without end.
 *
 * @param levels lists and objects within each other
 * @throws NotPlain
 */
export function plainCopy(given: unknown, levels: number = deepest): unknown {
  const walk: Walk = { path: [], room: longest, levels }
  try {
    return copied(given, walk)
  } catch (error) {
    if (error instanceof NotPlain) throw error
    const reason = error instanceof Error ? error.message : String(error) // of a getter, or of a proxy
    throw new NotPlain(pathOf(walk), `cannot be read (${reason})`, { cause: error })
  }
}

/** The levels of a whole schema, whose `stores` are one level down. */
export const schemaLevels: number = deepest + 1

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
  throw new NotPlain(pathOf(walk), `is ${show(given)}, which is no JSON data`)
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
  if (walk.room < 0) throw new NotPlain('', `is more than about ${longest} characters long`)
}

const longestPath = 20

function pathOf({ path }: Walk): string {
  return path.length > longestPath ? `${joined(path.slice(0, longestPath))}…` : joined(path)
}

/** As code would name the place: `columns[0].type`. */
function joined(path: readonly (string | number)[]): string {
  return path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step}]`
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(step)) return `${before}[${show(step)}]`
    return before === '' ? step : `${before}.${step}`
  }, '')
}
