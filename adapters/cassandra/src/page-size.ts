import type { Row } from '@rowkey/store'
import { weightOf } from './row-reader.js'

/** Bytes of one answer, which the driver takes in as a whole. */
const answerBytes = 8 << 20
/** Rows of the first answer: nobody knows yet how heavy they are. */
const firstRows = 500

/** Keeps answers small by how heavy the rows before were. */
export class PageSize {
  private most = firstRows

  fitting(want: number): number {
    return Math.max(1, Math.min(want, this.most))
  }

  learn(rows: readonly Row[]): void {
    if (rows.length === 0) return
    let weight = 0
    for (const row of rows) weight += weightOf(row)
    this.most = Math.ceil(answerBytes / Math.max(1, weight / rows.length))
  }
}
