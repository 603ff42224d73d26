import type { Need } from './rule.js'
import type { World } from './world.js'
import { ensureTable } from '#store/engine'
import { refused } from '../check.js'
import { Numbers, Sessions, Split, Things, Timeline } from './tables.js'

/** What a store lacks is refused before the store is called. */
export const refusals: Readonly<Record<Need, (world: World) => Promise<void>>> = {
  async reverse(world) {
    const table = await world.repository(Numbers)
    await refused('a reverse scan', () => table.scan({ n: { gte: 0 } }, { order: 'reverse' }).toArray(), 'NOT_SUPPORTED')
    await refused('explain() of a reverse scan', async () => table.scan({ n: { gte: 0 } }, { order: 'reverse' }).explain(), 'NOT_SUPPORTED')
  },
  async conditions(world) {
    await refused('a table with conditional writes', async () => world.db.repository(Things), 'NOT_SUPPORTED')
  },
  async versions(world) {
    await refused('a table with expiry and versions', async () => world.db.repository(Sessions), 'NOT_SUPPORTED')
  },
  async columns(world) {
    const repository = () => world.repository(Things)
    await refused('an increment', async () => (await repository()).increment({} as never, { n: 1 } as never), 'NOT_SUPPORTED')
    await refused('an upsert', async () => (await repository()).upsert({} as never), 'NOT_SUPPORTED')
  },
  async 'atomic batches'(world) {
    await refuseAtomic(world)
  },
  async 'atomic tables'(world) {
    await refuseAtomic(world)
  },
  async 'byte order'(world) {
    const schema = world.named(Split)
    await refused('a repository of keys that only have the order of their bytes', async () => world.db.repository(Split), 'NOT_SUPPORTED')
    await refused('such a table', () => ensureTable(world.adapter, schema), 'NOT_SUPPORTED')
  },
}

/** Batches over two tables, which neither scope allows. */
async function refuseAtomic(world: World): Promise<void> {
  const [one, two] = [await world.repository(Numbers), await world.repository(Timeline)]
  const batch = [one.ops.put({ n: 1 }), two.ops.put({ tenant: 'a', host: 'x', at: 1 })]
  await refused('an atomic batch over two tables', () => world.db.write(batch, { atomic: true }), 'ATOMIC_SCOPE')
}
