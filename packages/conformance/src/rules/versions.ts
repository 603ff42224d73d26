import type { Change } from '../suite/world.js'
import { check, same } from '../check.js'
import { strong } from '../suite/reading.js'
import { rule, type Rule } from '../suite/rule.js'
import { Sessions, session } from '../suite/tables.js'

const changes: Readonly<Record<string, Change>> = {
  put: { kind: 'put', row: session(1, 'new', null, 'v2'), version: 'v1' },
  update: { kind: 'update', row: session(1, 'new', null, 'v2'), set: [1, 4], version: 'v1' },
  delete: { kind: 'delete', row: [1], version: 'v1' },
}

export const versions: readonly Rule[] = Object.entries(changes).map(([kind, change]) =>
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
