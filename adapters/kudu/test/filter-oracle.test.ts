import { isShort, scaled } from '@rowkey/servers/scale'
import { int32, int8, kuduHash, bucket, type Salt } from 'rowkey'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  describeCase,
  randomCase,
  randomRows,
  scanOptionsOf,
  type OracleCase,
} from '../../../packages/rowkey/src/conformance/oracle/case.js'
import { checkCase } from '../../../packages/rowkey/src/conformance/oracle/check-case.js'
import { expectationOf } from '../../../packages/rowkey/src/conformance/oracle/expectation.js'
import { kinds, type OracleKind } from '../../../packages/rowkey/src/conformance/oracle/kinds.js'
import { columnOf, type OracleColumn, type OracleLayout } from '../../../packages/rowkey/src/conformance/oracle/layout.js'
import { Random } from '../../../packages/rowkey/src/conformance/oracle/random.js'
import { makeTables, type OracleTables } from '../../../packages/rowkey/src/conformance/oracle/tables.js'
import { textOf } from '../../../packages/rowkey/src/conformance/text-of.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect, type Connected } from './connected.js'
import { exact } from './exact.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20_261_128)

const group: OracleKind = { name: 'group', type: int8(), pool: [0, 1], compare: (a: number, b: number) => a - b, isInteger: true }
const number: OracleKind = {
  name: 'number',
  type: int32(),
  pool: [-1, 0, 1, 2, 3],
  compare: (a: number, b: number) => a - b,
  isInteger: true,
}

/** A table with a column of a kind in its key and one among its values, each bucket of which is one tablet. */
function layoutOf(kind: OracleKind, isDesc: boolean, nulls: OracleColumn['nulls']): OracleLayout {
  const of = (salt: Salt): readonly Salt[] => [salt]
  return {
    key: [columnOf('g', group, false, undefined), columnOf('a', kind, isDesc, nulls), columnOf('b', number, false, undefined)],
    partitionLength: 0,
    values: [columnOf('v', kind, false, 'first'), columnOf('w', number, false, 'first')],
    salts: of(kuduHash({ of: 'g', count: 2 })),
    otherSalts: of(bucket({ of: 'g', count: 3 })),
    expires: false,
    versioned: false,
    plain: false,
    indexes: [],
  }
}

withServer('kudu', (connection) => {
  let server: Connected
  beforeAll(async () => {
    server = await connect(connection)
  })
  afterAll(() => server.dispose())

  /** A run of queries with conditions on columns, forwards; most of them find something. */
  function* cases(random: Random, layout: OracleLayout, rows: OracleCase['rows'], count: number): Generator<OracleCase> {
    for (let tried = 0, left = count; tried < 60 * count && left > 0; tried++) {
      const given = { ...randomCase(random, layout, rows, []), reverse: false, bounds: {} }
      if (given.merged > 0 || !['a', 'v', 'w'].some((name) => name in given.where)) continue
      const { refusal, rows: found, isGet } = expectationOf(given)
      if (refusal !== undefined || isGet || (found.length === 0 && random.chance(0.8))) continue
      left--
      yield { ...given, comparisons: ['complete', 'limit'] }
    }
  }

  const pages = async ({ rows }: OracleTables, of: OracleCase, size: number): Promise<readonly string[]> => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await rows.scan(of.where, scanOptionsOf(of) as never).page({ size, cursor })
      found.push(...page.rows.map(textOf))
      ;({ cursor } = page)
    } while (cursor !== undefined)
    return found
  }

  const forms = [
    ['ascending', false, undefined],
    ['descending', true, undefined],
    ['with nulls first', false, 'first'],
    ['descending with nulls last', true, 'last'],
  ] as const
  const all = kinds.flatMap((kind, i) =>
    forms.map(([form, isDesc, nulls], at) => ({ kind, form, isDesc, nulls, number: i * forms.length + at })),
  )
  const checkedHere = { queries: 0, pages: 0, dropped: 0 }

  // In short runs every eleventh, which are of all forms.
  const every = isShort ? 11 : 1
  test.each(all.filter(({ number: at }) => at % every === 0).map((each) => [each.kind.name, each.form, each] as const))(
    'R1 R2 R3: %s, %s: conditions that the server checks drop no row that meets them',
    async (_, _form, { kind, isDesc, nulls, number: at }) => {
      const random = new Random(seed + at)
      const layout = layoutOf(kind, isDesc, nulls)
      const { adapter, checked } = exact(server.adapter)
      const tables = await makeTables(adapter, `f${at}_`, layout)
      const rows = randomRows(random, layout, 120)
      await tables.put(rows)
      for (const of of cases(random, layout, rows, Math.max(10, scaled(40)))) {
        try {
          await checkCase(of, tables, false)
          const size = random.pick([1, 2, 3, 7, 50])
          const whole = await tables.rows.scan(of.where, scanOptionsOf(of) as never).toArray()
          expect(await pages(tables, of, size)).toEqual(whole.map(textOf))
        } catch (cause) {
          throw new Error(`seed ${seed}, table ${at}\n${describeCase(of)}`, { cause })
        }
        checkedHere.queries++
      }
      checkedHere.pages += checked.pages
      checkedHere.dropped += checked.dropped
      await tables.drop()
    },
  )

  test('servers have left out rows, and pages were exact', () => {
    console.log(`oracle on Kudu with conditions: ${JSON.stringify(checkedHere)}, seed ${seed}`)
    expect(checkedHere.pages).toBeGreaterThan(checkedHere.queries)
    expect(checkedHere.dropped).toBeGreaterThan(checkedHere.queries)
  })
})
