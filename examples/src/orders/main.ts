import { createMapper, isRowkeyError } from 'rowkey'
import { openStores } from '../stores/open-stores.js'
import { table } from '../stores/table.js'
import { Orders } from './orders.js'
import { orders } from './rows.js'

// The design of the vendors' guides: orders are asked for by buyer, by seller and by number, so there are three tables with the same rows.
const stores = await openStores(true)
const lines: string[][] = [['store', 'three tables', 'placed', 'eve, newest first', 'bikes, first day', 'by number', 'torn']]
const refusals: string[] = []

for (const { name, adapter } of stores.open) {
  const db = createMapper(adapter, { prefix: 'shop_' })
  const shop = await Orders.open(db)
  const keepings = new Set<string>()
  let refusal: string | undefined
  for (const order of orders) {
    const { keeping, because } = await shop.place(order)
    keepings.add(keeping)
    refusal ??= because
  }
  const [one] = orders as [(typeof orders)[0]]
  const again = await shop.place({ ...one, buyer: 'mallory' }).catch((error: unknown) => (isRowkeyError(error) ? error.code : error))
  if (again !== 'ROW_EXISTS') throw new Error(`${name}: a number was given twice`)
  const newest = await shop.ofBuyer('eve', 3)
  const day = await shop.ofSeller('bikes', new Date('2026-03-01'), new Date('2026-03-02'))
  const found = await shop.byOrderNo('N0015838')
  lines.push([
    name,
    [...keepings].join(', '),
    String(orders.length),
    newest.map(({ orderNo }) => orderNo).join(' '),
    `${day.length} for ${day.reduce((sum, { cents }) => sum + cents, 0)} cents`,
    found?.buyer ?? 'none',
    String(await shop.torn()),
  ])
  if (refusal !== undefined) refusals.push(refusal)
  await db.close()
}
await stores.stop()

console.log(table(lines))
for (const [name, why] of stores.missing) console.log(`${name}: left out, ${why}`)
if (refusals.length > 0)
  console.log(`\nWhere a store cannot write three tables all or none, it says so before anything is written:\n\n${refusals.join('\n\n')}`)
