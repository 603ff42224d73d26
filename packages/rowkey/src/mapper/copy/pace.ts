import { pause, type Cancellation } from '#store/adapter'

/** Keeps the number of rows per second below a limit. */
export class Pace {
  private readonly rowsPerSecond: number
  private readonly start = performance.now()
  private rows = 0

  /** @param rowsPerSecond undefined = no limit */
  constructor(rowsPerSecond: number | undefined) {
    this.rowsPerSecond = rowsPerSecond ?? Infinity
  }

  /** Up to `max` rows to work on before the next pause, which is due about once a second. */
  portion(max: number): number {
    return Math.min(max, this.rowsPerSecond)
  }

  /** Waits as long as these rows may take. @throws the reason of the cancellation */
  async spent(rows: number, cancellation: Cancellation | undefined): Promise<void> {
    this.rows += rows
    const ms = pauseAfter(this.rows, performance.now() - this.start, this.rowsPerSecond)
    if (ms > 0) await pause(ms, cancellation)
  }
}

/** Milliseconds until so many rows are within the limit, if they took `elapsed` milliseconds. */
export function pauseAfter(rows: number, elapsed: number, rowsPerSecond: number): number {
  return Math.max(0, (rows * 1000) / rowsPerSecond - elapsed)
}
