import { isShort } from '@rowkey/servers/scale'
import { isRowkeyError } from 'rowkey/codec'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Each class of characters that a terminal, a log or an editor obeys or hides. */
const classes: readonly string[] = [
  'x\nERROR root logged in',
  'x\r\u001b[2J\u0000\u0007\tx',
  'x\u007f\u0080\u0085\u009b31mx',
  'x\u2028\u2029\u200e\u200f\u061cx',
  'x\u202a\u202b\u202c\u202d\u202ex',
  'x\u2066\u2067\u2068\u2069x',
  'x\u200b\u200c\u200d\u2060\ufeffx',
  'x\ud800x\udfffx\uffff',
  'x\u{e0001}\u{e0041}\u{e0080}x',
  '\n',
]
const withSurrogates = classes.filter((each) => !each.isWellFormed())
const others = classes.filter((each) => each.isWellFormed())

/** Texts that a client may send in place of any name or value: a class of characters each, and in short runs several. */
export const hostileTexts: readonly string[] = isShort
  ? [others.slice(0, 4).join(''), others.slice(4).join(''), ...withSurrogates]
  : classes

const long = isShort ? 100_000 : 1_000_000
export const longText = 'k'.repeat(long)
export const longHostileText = '\u202e'.repeat(long)

// Not the pattern of the sources: what they forget must be found here.
const unseen =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\ufffe\uffff\ud800-\udfff]|[\u{e0000}-\u{e0fff}]/u
const forged = /^ERROR root|\n\n/m

/** The maximum length of a message, and of a text in its details. */
const maxText = 4050
/** What a message has with one long text in it: enough for its words and what is shown of the text. */
const maxWithOne = 1700

/** Throws if a text may not be shown. */
export function mustBeClean(text: string, what: string, max: number = maxText): void {
  const raw = unseen.exec(text)
  if (raw !== null) expect.fail(`${what}: U+${raw[0].codePointAt(0)?.toString(16)} is raw in ${JSON.stringify(text.slice(0, 300))}`)
  if (forged.test(text)) expect.fail(`${what}: a forged line in ${JSON.stringify(text.slice(0, 300))}`)
  if (text.length > max) expect.fail(`${what}: ${text.length} characters, ${text.slice(0, 200)}`)
}

/** What programs pass to other calls: exact, and limited by what it is. */
const exact = new Set(['key', 'cursor'])

/** All texts in the details of an error. */
function mustHaveCleanDetails(details: unknown, what: string): void {
  if (typeof details === 'string') mustBeClean(details, what)
  else if (details instanceof Error) {
    if (isRowkeyError(details)) mustBeCleanError(details, what) // what others threw stays as it is
  } else if (typeof details === 'object' && details !== null && !(details instanceof Uint8Array)) {
    for (const [name, value] of Object.entries(details)) if (!exact.has(name)) mustHaveCleanDetails(value, `${what}.${name}`)
  }
}

/** Throws unless it is an error of rowkey whose texts can all be shown. What others threw is only looked at for being in them. */
export function mustBeCleanError(error: unknown, what: string): void {
  if (!isRowkeyError(error)) expect.fail(`${what}: not an error of rowkey, but ${String(error).slice(0, 300)}`)
  mustBeClean(error.message, `message of ${what}`, error.message.includes('\n') ? maxText : maxWithOne)
  mustBeClean(String(error.stack).split('\n    at ')[0] ?? '', `stack of ${what}`)
  mustHaveCleanDetails(error.details, `details of ${what}`)
}

/** Copies of a value with the text somewhere in it: instead of it or of a part, as a property of an object, in a list. */
function mutants(value: unknown, text: string, depth = 3): unknown[] {
  const made: unknown[] = [text, [text], { [text]: 1 }, { [text]: text }]
  if (depth === 0 || typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array) return made
  if (Array.isArray(value)) {
    const [first, ...rest] = value as unknown[]
    return [...made, ...mutants(first, text, depth - 1).map((mutant) => [mutant, ...rest])]
  }
  const prototype = Object.getPrototypeOf(value) as object | null
  if (prototype !== null && prototype !== Object.prototype) return made
  for (const [name, part] of Object.entries(value)) {
    for (const mutant of mutants(part, text, depth - 1)) made.push({ ...value, [name]: mutant })
  }
  return [...made, { ...value, [text]: 1 }, { ...value, [text]: text }]
}

/**
 * Runs a call with each of its arguments changed, and looks at each error, which must be one of rowkey.
 *
 * @param others whether errors of JavaScript are expected too
 * @returns how many errors there were
 */
export async function attack(
  what: string,
  args: readonly unknown[],
  text: string,
  call: (args: unknown[]) => unknown,
  depth = 3,
  { others = false }: { readonly others?: boolean } = {},
): Promise<number> {
  let refused = 0
  for (const at of args.keys()) {
    for (const mutant of mutants(args[at], text, depth)) {
      try {
        await call(args.with(at, mutant))
      } catch (error) {
        refused++
        if (!others || isRowkeyError(error)) mustBeCleanError(error, `${what}, argument ${at + 1}`)
      }
    }
  }
  return refused
}

/** The methods and properties of an interface, as the reports of `pnpm api` list them. */
export function membersOf(report: string, name: string): readonly string[] {
  const text = readFileSync(new URL(`../api/${report}.api.md`, import.meta.url), 'utf8')
  const [, body] = new RegExp(`^(?:interface|type) ${name}\\b[^\\n]*\\{\\n([^]*?)^\\}`, 'm').exec(text) ?? []
  if (body === undefined) throw new Error(`no interface ${name} in the report of ${report}`)
  return [...new Set([...body.matchAll(/^ {2}(?:readonly )?(\w+)[(<?:]/gm)].map(([, member]) => member as string))]
}
