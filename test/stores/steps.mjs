// What a writer does to each of its rows, and what the row then is. Shared by the tests and by the processes that are killed.

/** @typedef {{ id: number, n: bigint, b: number | null }} Row */

/** The model of the rows, made with the exports of rowkey. */
export const modelOf = ({ defineTable, int64, nullable, uint32 }) =>
  defineTable('steps', { columns: { id: uint32(), n: int64({ default: 0n }), b: nullable(uint32()) }, key: ['id'], version: 'rev' })

/** Each changes the row by itself in the store. The digits of `n` in base four tell how often each increment was applied. */
export const steps = [
  (table, id) => table.increment({ id }, { n: 1n }, { create: true }),
  (table, id) => table.increment({ id }, { n: 4n }),
  (table, id) => table.upsert({ id, b: 7 }),
  (table, id) => table.update({ id }, { b: 8 }, { if: { b: 7 } }),
  (table, id) => table.increment({ id }, { n: 16n }, { if: { n: { lt: 16n } } }),
  (table, id) => table.scan({ id: { gte: id, lt: id + (id % 3 === 0 ? 1 : 0) }, b: 8 }).deleteAll(),
  (table, id) => table.increment({ id }, { n: 64n }, { create: { b: 9 } }),
]

/** The row after so many steps; undefined if there is none. @returns {Row | undefined} */
export function rowAfter(id, count) {
  const isRemoved = id % 3 === 0 && count >= 6
  const [n, b] = isRemoved ? [0n, null] : [[0n, 1n, 5n, 5n, 5n, 21n, 21n, 21n][count], [null, null, null, 7, 8, 8, 8, 8][count]]
  if (count === 7) return { id, n: n + 64n, b: b ?? 9 }
  return count === 0 || isRemoved ? undefined : { id, n, b }
}
