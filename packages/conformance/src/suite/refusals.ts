import type { Need } from './rule.js'
import type { World } from './world.js'
import { refused } from '../check.js'
import { Numbers, Sessions, Things, Timeline } from './tables.js'

/** What a store lacks is refused before anything is asked of it. */
export const refusals: Readonly<Record<Need, (world: World) => Promise<void>>> = {
  async reverse(world) {
    const table = await world.repository(Numbers)
    await refused('a reverse scan', () => table.scan({ n: { gte: 0 } }, { reverse: true }).toArray(), 'STORE_LACKS')
    await refused('explain() of a reverse scan', async () => table.scan({ n: { gte: 0 } }, { reverse: true }).explain(), 'STORE_LACKS')
  },
  async conditions(world) {
    await refused('a table with conditional writes', async () => world.db.repository(Things), 'STORE_LACKS')
  },
  async versions(world) {
    await refused('a table with expiry and versions', async () => world.db.repository(Sessions), 'STORE_LACKS')
  },
  async 'atomic batches'(world) {
    await refuseAtomic(world)
  },
  async 'atomic tables'(world) {
    await refuseAtomic(world)
  },
}

/** Batches over two tables, which neither scope allows. */
async function refuseAtomic(world: World): Promise<void> {
  const [one, two] = [await world.repository(Numbers), await world.repository(Timeline)]
  const batch = [one.op.put({ n: 1 }), two.op.put({ tenant: 'a', host: 'x', at: 1 })]
  await refused('an atomic batch over two tables', () => world.db.write(batch, { atomic: true }), 'ATOMIC_SCOPE')
}
