// Tested by wrong.test.ts.
import type { Change } from '../suite/world.js'
import { int32, nullable, text } from '#codec'
import { defineTable } from '#model'
import { check, same } from '../check.js'
import { strong } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Sessions, session } from '../suite/tables.js'

const changes: Readonly<Record<string, Change>> = {
  put: { kind: 'put', row: session(1, 'new', null, 'v2'), version: 'v1' },
  update: { kind: 'update', row: session(1, 'new', null, 'v2'), set: [1, 4], version: 'v1' },
  delete: { kind: 'delete', row: [1], version: 'v1' },
}

const conditional = Object.entries(changes).map(([kind, change]) =>
  rule(
    `ADAPTER-10: ${kind} of a version: missing if the row is absent, a conflict if it has another, else applied`,
    async (world) => {
      const table = await world.open(Sessions)
      const outcome = async (): Promise<string | undefined> => (await table.write([change]))[0]?.kind
      same(await outcome(), 'missing', `${kind} where there is no row`)
      same(await table.store.get([[1]], strong), [undefined], 'the row after it')
      await table.put(session(1, 'x', null, 'v0'))
      same(await outcome(), 'conflict', `${kind} where the version is another`)
      same(await table.store.get([[1]], strong), [session(1, 'x', null, 'v0')], 'the row after it')
      await table.put(session(1, 'x'))
      same(await outcome(), 'conflict', `${kind} where the row has no version`)
      const { now } = world.clock
      await table.put(session(1, 'x', now, 'v1'))
      same(await outcome(), 'missing', `${kind} where the row of that version has expired`)
      await table.put(session(1, 'x', now + 1, 'v1'))
      same(await outcome(), 'applied', `${kind} where the version is this one`)
      const [row] = await table.store.get([[1]], strong)
      const wanted = { put: session(1, 'new', null, 'v2'), update: session(1, 'new', now + 1, 'v2') }
      same(row, wanted[kind as keyof typeof wanted], 'the row after it')
      check((await outcome()) === (kind === 'delete' ? 'missing' : 'conflict'), 'the version is used up')
    },
    'versions',
  ),
)

/** Tables with only one of the two, because the positions of columns depend on both. */
const Versioned = defineTable('versioned', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], version: 'rev' })
const Expiring = defineTable('expiring', { columns: { k: int32(), a: nullable(text()) }, key: ['k'], ttl: '30d' })

export const versions: readonly Rule[] = [
  ...conditional,

  rule(
    'ADAPTER-9 ADAPTER-10: a table with versions and no expiry',
    async (world) => {
      const table = await world.open(Versioned)
      await table.put([1, 'x', 'v1'])
      const update: Change = { kind: 'update', row: [1, 'y', 'v2'], set: [1, 2], version: 'v1' }
      same((await table.write([update]))[0]?.kind, 'applied', 'an update of the version')
      same(await table.store.get([[1]], strong), [[1, 'y', 'v2']], 'the row')
      same((await table.write([update]))[0]?.kind, 'conflict', 'the same once more')
    },
    'versions',
  ),

  rule(
    'ADAPTER-8 ADAPTER-9: a table with expiry and no versions',
    async (world) => {
      const { now } = world.clock
      const table = await world.open(Expiring)
      await table.put([1, 'x', now + 1], [2, 'x', null])
      const insert = (k: number): Change => ({ kind: 'insert', row: [k, 'new', null] })
      same((await table.write([insert(1)]))[0]?.kind, 'conflict', 'an insert over a row that is there')
      same((await table.write([insert(1)], { now: now + 1 }))[0]?.kind, 'applied', 'an insert when it has expired')
      same((await table.write([insert(2)], { now: now + 1 }))[0]?.kind, 'conflict', 'an insert over a row that never expires')
      same(
        await table.store.get([[1], [2]], strong),
        [
          [1, 'new', null],
          [2, 'x', null],
        ],
        'rows',
      )
    },
    'versions',
  ),
]
