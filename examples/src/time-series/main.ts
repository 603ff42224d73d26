// A month of real readings, a partition for each station and week: walked newest first, summed by day, and the latest of each station.
import { lmdb } from '@rowkey/lmdb'
import { temporaryFolder } from '@rowkey/servers'
import { join } from 'node:path'
import { createMapper, isRowkeyError, memory, type Adapter } from 'rowkey'
import { Latest, Reading } from './models.js'
import { weather } from './weather.js'

const month = { gte: new Date('2013-01-01'), lt: new Date('2013-02-01') }

async function show(adapter: Adapter): Promise<void> {
  const db = createMapper(adapter)
  await db.ensureTables([Reading, Latest])
  const [readings, latest] = [db.repository(Reading), db.repository(Latest)]

  await readings.putMany(weather) // without the week, which follows from the instant
  for (const { station, at, celsius } of weather.slice(-100)) {
    await latest.put({ station, at, celsius }, { if: { at: { lt: at } }, create: true }).catch((error: unknown) => {
      if (!isRowkeyError(error, 'CONDITION_FAILED')) throw error // late: the row is newer
    })
  }
  console.log(`written        ${weather.length} readings of 3 stations`)

  const walk = readings.scan({ station: 'JFK', at: month })
  console.log(
    `explain()      ${walk
      .explain()
      .text.split('\n')
      .find((line) => line.includes("of 'at'"))
      ?.slice(2)}`,
  )
  let [pages, rows, calls, cursor] = [0, 0, 0, undefined as string | undefined]
  do {
    const page = await walk.page({ cursor })
    pages++
    rows += page.rows.length
    calls += page.stats.calls
    cursor = page.cursor
  } while (cursor !== undefined)
  console.log(`newest first   ${rows} rows of JFK in ${pages} pages and ${calls} requests`)

  const newest = await walk.page({ size: 3 })
  const texts = newest.rows.map(({ at, celsius }) => `${at.toISOString().slice(0, 16)} ${celsius} °C`)
  console.log(`the newest 3   ${texts.join(', ')}; ${newest.stats.calls} request, ${newest.stats.examined} rows examined`)

  const days = new Map<string, { sum: number; count: number }>()
  for await (const { at, celsius } of walk) {
    const day = at.toISOString().slice(0, 10)
    const { sum, count } = days.get(day) ?? { sum: 0, count: 0 }
    days.set(day, { sum: sum + celsius, count: count + 1 })
  }
  const means = [...days].map(([day, { sum, count }]) => [sum / count, day] as const).toSorted(([a], [b]) => a - b)
  for (const [name, at] of Object.entries({ coldest: 0, warmest: -1 })) {
    const [mean = NaN, day] = means.at(at) ?? []
    console.log(`${name} day    ${day}, ${mean.toFixed(1)} °C on average`)
  }

  for await (const { station, at, celsius } of latest.readAll())
    console.log(`latest         ${station} ${at.toISOString().slice(0, 16)} ${celsius} °C`)
  await db.close()
}

const folder = temporaryFolder('rowkey-example')
for (const adapter of [memory(), lmdb(join(folder.path, 'db'))]) {
  console.log(`--- ${adapter.name}`)
  await show(adapter)
}
folder.remove()
