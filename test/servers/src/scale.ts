// How much random and long tests do: 1 where servers are required, as in the gate; a quarter in other runs, for which somebody waits;
// ROWKEY_SCALE=20 in `pnpm test:long`.
const usual = process.env['ROWKEY_REQUIRE_SERVERS'] === '1' ? 1 : 0.25
const scale = Number(process.env['ROWKEY_SCALE'] ?? usual)
if (!(scale > 0)) throw new Error(`ROWKEY_SCALE is ${String(process.env['ROWKEY_SCALE'])}. Give a number above 0.`)

/** Whether this run leaves out what takes long and is seldom what a change breaks. */
export const isShort: boolean = scale < 1

/** Whether this is a long run, which also has what takes minutes at any scale. */
export const isLong: boolean = scale >= 10

/** So many cases at scale 1. */
export const scaled = (cases: number): number => Math.max(1, Math.round(cases * scale))

/** So many cases; a tenth in short runs. For single tests that take seconds. */
export const shortened = (cases: number): number => (isShort ? Math.max(1, Math.round(cases / 10)) : cases)
