// Tested by read-schema-json.test.ts.
import type { RowkeyError } from '#codec'
import { said, show, showName, showPath } from '#codec/internal'
import { isObject, Problems, type InvalidSchemaDetails } from '../problems.js'
import { NotPlain } from './plain-data.js'

/** What is wrong with the JSON of a schema, and where. */
export class Malformed extends Error {
  readonly path: string
  /** Whether a newer version may have written it. */
  readonly isNewer: boolean

  constructor(path: string, message: string, isNewer = false, options?: ErrorOptions) {
    super(message, options)
    this.path = path
    this.isNewer = isNewer
  }
}

/** Something that this version does not know, because a newer one wrote it. */
export const unknownTo = (path: string, given?: unknown): Malformed =>
  new Malformed(path, `${given === undefined ? 'is' : `is ${show(given)}, which is`} unknown to this version`, true)

/** Runs `read` for the value at `path`, and turns what it throws into a problem at that place. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Malformed) throw cause
    if (cause instanceof NotPlain) throw new Malformed(cause.path, cause.message, false, { cause })
    throw new Malformed(path, `is invalid (${said(cause)})`, false, { cause })
  }
}

/** The error of a schema whose JSON is malformed. */
export function malformedJSON(table: unknown, error: Malformed): RowkeyError<'INVALID_SCHEMA', InvalidSchemaDetails> {
  const { path, message, isNewer, cause } = error
  const remedy = isNewer ? 'If a newer version wrote it, use that version.' : 'Store the output of toJSON() unchanged.'
  const problems = new Problems()
  const where = path === '' ? 'it' : showPath([path])
  problems.add({ code: 'MALFORMED_JSON', message: `the JSON is not what toJSON() of a schema returns: ${where} ${message}. ${remedy}` })
  return problems.error(table, cause === undefined ? {} : { cause })
}

/**
 * Refuses JSON that differs from `made`, which was made from it. Otherwise an unknown field would be ignored and a missing one filled in,
 * and keys or values would have another meaning.
 *
 * @param missing what happens to a missing field
 * @throws Malformed
 */
export function mustBeSame(given: unknown, made: unknown, path: string, missing: 'refused' | 'left for later' = 'refused'): void {
  if (given === made) return
  if (!isObject(given) || !isObject(made) || isOtherList(given, made)) {
    throw new Malformed(path, `is ${show(given)}, but toJSON() writes ${show(made)}`)
  }
  const inside = (name: string): string =>
    Array.isArray(given) ? `${path}[${name}]` : path === '' ? showName(name) : `${path}.${showName(name)}`
  const known = new Map<string, unknown>(Object.entries(made))
  const fields = new Map<string, unknown>(Object.entries(given))
  const left = [...known.keys()].find((name) => !fields.has(name))
  for (const [name, value] of fields) {
    // A field may be unknown only because another one is missing: without `nullable`, `nulls` is unknown.
    if (!known.has(name)) throw left === undefined ? unknownTo(inside(name)) : new Malformed(inside(left), 'is missing')
    mustBeSame(value, known.get(name), inside(name), missing)
  }
  if (left !== undefined && missing === 'refused') throw new Malformed(inside(left), 'is missing')
}

const isOtherList = (a: object, b: object): boolean =>
  Array.isArray(a) !== Array.isArray(b) || (Array.isArray(a) && Array.isArray(b) && a.length !== b.length)
