// Tested by check.test.ts.
import { randomInt } from 'node:crypto'
import type { StoreDescription } from 'rowkey/adapter'
import { checkupNameLength } from 'rowkey/conformance'
import { Failure } from '../failure.js'

const begins = 'rowkey_check_'
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const idLength = 4

/** A prefix that no table has: `rowkey_check_k3x9_`, after the one that the names of all tables begin with. @throws Failure if that makes names too long */
export function scratchPrefix(before: string, { names, name }: StoreDescription): string {
  const id = Array.from({ length: idLength }, () => letters[randomInt(letters.length)]).join('')
  const prefix = `${before}${begins}${id}_`
  const rule = names?.table
  if (rule === undefined || rule.fits(prefix + 'x'.repeat(checkupNameLength))) return prefix
  throw new Failure(
    `the names of tables would be ${prefix} and up to ${checkupNameLength} characters, and ${name} accepts ${rule.wants}. Give a shorter --prefix.`,
  )
}

/** The prefix of an earlier check, whose tables are removed. @throws Failure for any other text */
export function earlierPrefix(given: string): string {
  if (/rowkey_check_[a-z0-9]{4}_$/.test(given)) return given
  throw new Failure(`--remove takes the prefix that a check has told, such as ${begins}k3x9_. Nothing has changed.`)
}
