// How much random and long tests do: 1 in every run, ROWKEY_SCALE=20 in `pnpm test:long`.
const scale = Number(process.env['ROWKEY_SCALE'] ?? 1)
if (!(scale > 0)) throw new Error(`ROWKEY_SCALE is ${String(process.env['ROWKEY_SCALE'])}. Give a number above 0.`)

/** Whether this is a long run, which also has what takes minutes at any scale. */
export const isLong: boolean = scale >= 10

/** So many cases in every run, more or fewer by the scale. */
export const scaled = (cases: number): number => Math.max(1, Math.round(cases * scale))
