// The rows of writers that are killed, which two indexes find. Shared by the test and by the processes that are killed.

export const tags = ['a', 'b', 'c', 'd']
export const owners = ['x', 'y', 'z']

/** The model of the rows, made with the exports of rowkey. `n` is incremented, and is a part of an entry. */
export const indexedModelOf = ({ defineTable, desc, nullable, text, uint32 }, isPlain) =>
  defineTable('killed_rows', {
    columns: { no: uint32(), tag: text(), owner: nullable(text()), at: desc(uint32()), n: uint32({ default: 0 }) },
    key: ['no'],
    ...(isPlain ? { writes: 'plain' } : { version: 'rev' }),
    indexes: { byTag: { partition: ['tag'], key: ['at'] }, byOwner: { key: ['owner', 'n'] } },
  })

/** A number from 0 up to `below`, each time another one. */
export function numbers(seed) {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

const pick = (random, list) => list[random(list.length)]
const rowOf = (random) => ({
  no: random(60),
  tag: pick(random, tags),
  owner: pick(random, [...owners, null]),
  at: random(5),
  n: random(4),
})

async function* some(random) {
  for (let i = random(8); i >= 0; i--) yield rowOf(random)
}

/** What works on tables with plain writes. */
export const plainWrites = [
  (table, random) => table.put(rowOf(random)),
  (table, random) => table.putMany([rowOf(random), rowOf(random), rowOf(random)]),
  (table, random) => table.putMany(some(random), { window: 4 }),
  (table, random) => table.delete({ no: random(60) }),
]

export const allWrites = [
  ...plainWrites,
  (table, random) => table.insert(rowOf(random)),
  (table, random) => table.update({ no: random(60) }, { tag: pick(random, tags) }),
  (table, random) => table.update({ no: random(60) }, { owner: pick(random, owners), n: random(4) }),
  (table, random) => table.upsert(rowOf(random)),
  (table, random) => table.increment({ no: random(60) }, { n: 1 }),
  (table, random) => table.modify({ no: random(60) }, ({ at }) => ({ at: (at + 1) % 5 })),
]
