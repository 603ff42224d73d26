import { cassandra } from '@rowkey/cassandra'
import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import { describeCase, randomCase, randomRows } from '../../../packages/rowkey/src/conformance/oracle/case.js'
import { checkCase } from '../../../packages/rowkey/src/conformance/oracle/check-case.js'
import { randomLayout, type OracleLayout } from '../../../packages/rowkey/src/conformance/oracle/layout.js'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { makeTables } from '../../../packages/rowkey/src/conformance/oracle/tables.js'
import { withServer } from '../../../test/setup/with-server.js'
import { around, connect } from './connected.js'
import { filtering } from './filtering.js'

const seed = Number(process.env.ORACLE_SEED ?? 20_261_128)

/** A random table with a period in its partitions, and with columns to filter by. */
function filterable(random: Random): OracleLayout {
  for (;;) {
    const layout = randomLayout(random)
    const { key, partitionLength, values } = layout
    if (key.slice(0, partitionLength).some(({ period }) => period !== undefined) && partitionLength < key.length && values.length > 0)
      return layout
  }
}

withServer('cassandra', (connection) => {
  test(`R1 R2 R3 R7 R11: random queries of tables that the server filters, seed ${seed}`, { timeout: 7_200_000 }, async () => {
    const { client, keyspace, dispose } = await connect(connection)
    let statements = 0
    const counted = around(client, (query, send) => {
      if (query.endsWith('ALLOW FILTERING')) statements++
      return send()
    })
    const adapter = filtering(cassandra(counted, { keyspace }))
    const random = new Random(seed)
    let pages = 0
    const tablesOfRun = scaled(10)
    for (let n = 0; n < tablesOfRun; n++) {
      const layout = filterable(random)
      const tables = await makeTables(adapter, `o${n}_`, layout)
      const rows = randomRows(random, layout, 40)
      await tables.put(rows)
      for (let query = 0; query < 25; query++) {
        const whole = randomCase(random, layout, rows, [])
        const of = { ...whole, comparisons: ['complete', random.pick(['limit', 'under writes', 1, 2, 3, 5] as const)] as const }
        try {
          pages += 1 + (await checkCase(of, tables, false))
        } catch (cause) {
          throw new Error(`seed ${seed}, table ${n}, query ${query}\n${describeCase(of)}`, { cause })
        }
      }
      await tables.drop()
    }
    console.log(
      `oracle on Cassandra with filters: ${25 * tablesOfRun} queries, ${pages} pages, ${statements} statements with a filter, seed ${seed}`,
    )
    expect(statements).toBeGreaterThan(10 * tablesOfRun)
    await dispose()
  })
})
