import type { Order } from '@rowkey/store'
import { RowkeyError, show } from '@rowkey/codec'

/** The options of a scan as the implementation sees them. */
export interface AnyScanOptions {
  readonly reverse?: boolean
  readonly order?: Order
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly select?: readonly PropertyKey[]
  readonly filter?: (row: never) => boolean
  readonly consistency?: 'strong' | 'eventual'
  readonly signal?: AbortSignal
  readonly maxRanges?: number
  readonly maxFanOut?: number
  readonly allowFullScan?: boolean
}

interface Rule {
  readonly wants: string
  fits(value: unknown): boolean
}

const isFlag: Rule = { wants: 'true or false', fits: (value) => typeof value === 'boolean' }
const isCount: Rule = { wants: 'a whole number from 1', fits: (value) => Number.isSafeInteger(value) && (value as number) > 0 }

const rules: Readonly<Record<keyof AnyScanOptions, Rule>> = {
  reverse: isFlag,
  order: { wants: "an object like { at: 'desc' }", fits: (value) => typeof value === 'object' && value !== null },
  limit: isCount,
  cursor: { wants: "the text of a page's cursor", fits: (value) => typeof value === 'string' },
  select: { wants: 'a list of columns', fits: Array.isArray },
  filter: { wants: 'a function', fits: (value) => typeof value === 'function' },
  consistency: { wants: "'strong' or 'eventual'", fits: (value) => value === 'strong' || value === 'eventual' },
  signal: { wants: 'an AbortSignal', fits: (value) => typeof value === 'object' && value !== null && 'aborted' in value },
  maxRanges: isCount,
  maxFanOut: isCount,
  allowFullScan: isFlag,
}

/**
 * Checks the options of a scan, for callers without a compiler: nothing is ignored or taken for something else.
 *
 * @throws RowkeyError `INVALID_OPTION`
 */
export function checkScanOptions(options: AnyScanOptions): void {
  if (typeof options !== 'object' || (options as object | null) === null) {
    throw new RowkeyError('INVALID_OPTION', `the options of a scan cannot be ${show(options)}. Give an object.`, {
      option: '',
      value: show(options),
    })
  }
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, option)) {
      const message = `a scan has no option '${option}'. Its options are ${Object.keys(rules).join(', ')}.`
      throw new RowkeyError('INVALID_OPTION', message, { option, value: show(value) })
    }
    const { wants, fits } = rules[option as keyof AnyScanOptions]
    if (value === undefined || fits(value)) continue
    throw new RowkeyError('INVALID_OPTION', `${option} cannot be ${show(value)}. Give ${wants}.`, { option, value: show(value) })
  }
}
