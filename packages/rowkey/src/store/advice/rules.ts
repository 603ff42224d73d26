import type { TableSchema } from '#model'
import type { Rule } from '../contract/finding.js'
import { fanOut } from './fan-out.js'
import { filter } from './filter.js'
import { fullScan } from './full-scan.js'
import { hull } from './hull.js'
import { mergedPeriods } from './merged-periods.js'
import { moduloSeconds } from './modulo-seconds.js'
import { openRange } from './open-range.js'
import { readsRanges, type ReadSubject } from './read-facts.js'
import { reverse } from './reverse.js'
import { splitText, splitTextRead } from './split-text.js'

/** The code of a finding about a table, whatever store it is in. */
export type DesignCode = 'modulo-seconds' | 'split-text'

/** The code of a finding about a read. */
export type ReadCode = 'full-scan' | 'fan-out' | 'reverse' | 'hull' | 'filter' | 'open-range' | 'merged-periods' | DesignCode

/** What is likely to be a mistake in a table, whatever store it is in. An adapter adds its own rules. */
export const designRules: readonly Rule<TableSchema, DesignCode>[] = [moduloSeconds, splitText]

/** The salt of a table matters to a read that visits its buckets. */
const moduloOfRanges: Rule<ReadSubject, DesignCode> = ({ schema, read }) => (readsRanges(read) ? moduloSeconds(schema) : [])

/** What may hurt about a read. */
export const readRules: readonly Rule<ReadSubject, ReadCode>[] = [
  fullScan,
  fanOut,
  reverse,
  hull,
  filter,
  openRange,
  mergedPeriods,
  moduloOfRanges,
  splitTextRead,
]
