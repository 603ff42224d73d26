import type { Row } from '#codec'
import type { Page } from '../contract/reading.js'

/**
 * What an answer of a page source lacks to be a page of rows with so many positions; undefined if it is one. Types do not protect from an
 * adapter that passes on what a server sent.
 */
export function pageFlaw(page: Page, width: number): string | undefined {
  const given: Partial<Record<keyof Page, unknown>> | null = page
  const { rows, examined } = given ?? {}
  if (!Array.isArray(rows)) return 'a page without a list of rows'
  if (!isCount(examined)) return 'a page that does not count the rows that it examined'
  for (const row of rows as readonly unknown[]) if (!isRow(row, width)) return `a row without its ${width} columns`
  return undefined
}

/** Whether an answer is a row with all its positions. */
export const isRow = (row: unknown, width: number): row is Row => Array.isArray(row) && row.length === width

/** Whether an answer is a number of rows. */
export const isCount = (count: unknown): count is number => Number.isSafeInteger(count) && (count as number) >= 0
