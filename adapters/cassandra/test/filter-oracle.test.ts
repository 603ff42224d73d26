import { cassandra } from '@rowkey/cassandra'
import { scaled } from '@rowkey/servers/scale'
import { expect, test } from 'vitest'
import {
  describeCase,
  randomCase,
  randomRows,
  type OracleCase,
  type OracleRow,
} from '../../../packages/rowkey/src/conformance/oracle/case.js'
import { checkCase } from '../../../packages/rowkey/src/conformance/oracle/check-case.js'
import { expectationOf } from '../../../packages/rowkey/src/conformance/oracle/expectation.js'
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

/** Queries with a condition on a value column, of few partitions with rows in them; most of them find some. */
function* filters(random: Random, layout: OracleLayout, rows: readonly OracleRow[], count: number): Generator<OracleCase> {
  for (let tried = 0, left = count; tried < 100 * count && left > 0; tried++) {
    const given = randomCase(random, layout, rows, [])
    const { refusal, walked, rows: found, maxRanges, isGet } = expectationOf(given)
    const isFiltered = layout.values.some(({ name }) => name in given.where)
    if (refusal !== undefined || isGet || !isFiltered || walked === 0 || maxRanges > 40) continue
    if (found.length === 0 && random.chance(0.8)) continue
    left--
    yield { ...given, comparisons: ['complete', random.pick(['limit', 'under writes', 1, 2, 3, 5] as const)] }
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
    let [queries, pages] = [0, 0]
    const tablesOfRun = scaled(10)
    for (let n = 0; n < tablesOfRun; n++) {
      const layout = filterable(random)
      const tables = await makeTables(adapter, `o${n}_`, layout)
      const rows = randomRows(random, layout, 120)
      await tables.put(rows)
      for (const of of filters(random, layout, rows, 40)) {
        try {
          pages += 1 + (await checkCase(of, tables, false))
        } catch (cause) {
          throw new Error(`seed ${seed}, table ${n}, query ${queries}\n${describeCase(of)}`, { cause })
        }
        queries++
      }
      await tables.drop()
    }
    console.log(
      `oracle on Cassandra with filters: ${queries} queries, ${pages} pages, ${statements} statements with a filter, seed ${seed}`,
    )
    expect(queries).toBeGreaterThan(10 * tablesOfRun)
    expect(statements).toBeGreaterThan(2 * queries)
    await dispose()
  })
})
