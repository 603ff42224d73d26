import type { Mapper, Repository } from '@rowkey/mapper'
import type { TableSchema } from '@rowkey/model'
import type { Adapter } from '@rowkey/store'
import { createMapper } from '@rowkey/mapper'
import { isRowkeyError } from '@rowkey/codec'
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { counting, type Work } from './counting-adapter.js'
import { expect, type Expectation } from './expectation.js'
import { randomTable, type OracleTable } from './layout.js'
import { compareKeys, matches, randomRow, randomWhere, textOf, type Row, type Where } from './query.js'
import { Random } from './random.js'

const rowsPerTable = 40
const unlimited = 1_000_000 // ranges, so that what a walk may use does not depend on the number of buckets
const queriesPerTable = 3

/** One random layout with data and queries, checked against its definition. The error says how to repeat it. */
export async function checkLayout(seed: number, createAdapter: () => Adapter): Promise<number> {
  const random = new Random(seed)
  const table = randomTable(random)
  const { adapter, work } = counting(createAdapter())
  const db = createMapper(adapter)
  await db.ensureTables([table.schema, table.rebucketed])
  const [rows, rebucketed] = [repositoryOf(db, table.schema), repositoryOf(db, table.rebucketed)]
  const stored = await fill(random, table, [rows, rebucketed])
  let pages = 0
  for (let n = 0; n < queriesPerTable; n++) {
    const where = randomWhere(random, table)
    try {
      pages += await new QueryCheck(table, stored, rows, rebucketed, work, random, where).run()
    } catch (error) {
      const layout = table.key.map(
        ({ name, kind, desc, nulls }) => `${name}: ${desc ? 'desc ' : ''}${kind.name}${nulls === undefined ? '' : ` nulls ${nulls}`}`,
      )
      const about = [
        `seed ${seed}`,
        `key (${layout.join(', ')})`,
        `partition ${table.partitionLength}`,
        `salt ${JSON.stringify(table.salts)}`,
        `where ${inspect(where, { depth: 4 })}`,
      ]
      throw new Error(`${about.join('\n')}\n${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
  return pages
}

type Rows = Repository<TableSchema>

function repositoryOf(db: Mapper, schema: TableSchema): Rows {
  return db.repository(schema)
}

async function fill(random: Random, table: OracleTable, repositories: readonly Rows[]): Promise<readonly Row[]> {
  const stored: Row[] = []
  for (let n = random.below(rowsPerTable); n > 0; n--) {
    const row = randomRow(random, table)
    const same = stored.findIndex((other) => compareKeys(table, row, other) === 0)
    if (same >= 0) stored.splice(same, 1)
    stored.push(row)
    for (const repository of repositories) await repository.put(row)
  }
  return stored
}

class QueryCheck {
  private readonly options: {
    readonly allowFullScan: true
    readonly maxRanges: number
    readonly maxFanOut: number
    readonly reverse: boolean
  }
  private readonly expected: Expectation
  private readonly inOrder: readonly string[]
  private readonly table: OracleTable
  private readonly stored: readonly Row[]
  private readonly rows: Rows
  private readonly rebucketed: Rows
  private readonly work: Work
  private readonly random: Random
  private readonly where: Where

  constructor(table: OracleTable, stored: readonly Row[], rows: Rows, rebucketed: Rows, work: Work, random: Random, where: Where) {
    this.table = table
    this.stored = stored
    this.rows = rows
    this.rebucketed = rebucketed
    this.work = work
    this.random = random
    this.where = where
    const allowFullScan = random.chance(0.3)
    const maxRanges = random.chance(0.3) ? random.pick([1, 2, 8]) : unlimited
    // The type says true, so that the looser overload takes any predicate; at run time it is either.
    this.options = { allowFullScan: allowFullScan as true, maxRanges, maxFanOut: 1_000_000, reverse: random.chance(0.5) }
    this.expected = expect(table, stored, where, { allowFullScan, maxRanges })
    const ordered = this.options.reverse ? this.expected.rows.toReversed() : this.expected.rows
    this.inOrder = ordered.map(textOf)
  }

  async run(): Promise<number> {
    const { refusal } = this.expected
    if (refusal !== undefined) {
      // That conditions contradict each other may be seen by the planner where the definition above does not see it.
      if (
        refusal === 'TOO_MANY_RANGES' &&
        this.expected.rows.length === 0 &&
        this.rows.scan(this.where, { ...this.options, maxRanges: unlimited }).explain().kind === 'EMPTY'
      )
        return 0
      assert.equal(await this.refusalOf(() => this.rows.scan(this.where, this.options).toArray()), refusal, 'refusal')
      return 0
    }
    await this.checkComplete()
    await this.checkLimit()
    if (this.expected.rows.length > 1 && this.random.chance(0.3)) await this.checkUnderWrites()
    return (await this.checkPages(1)) + (await this.checkPages(2)) + (await this.checkPages(7)) + (await this.checkPages(1000))
  }

  /** A complete read: rows, order, and work. */
  private async checkComplete(): Promise<void> {
    const scan = this.rows.scan(this.where, this.options)
    const plan = scan.explain()
    const before = { ...this.work }
    assert.deepEqual((await scan.toArray()).map(textOf), this.inOrder, 'rows of toArray()')
    const scans = this.work.scans - before.scans
    const examined = this.work.examined - before.examined
    assert.equal(scans, plan.ranges, 'native range requests as explain() says')
    assert.equal(this.work.keys - before.keys, plan.keys, 'keys as explain() says')
    if (this.options.maxRanges === unlimited && plan.kind !== 'EMPTY') {
      assert.equal(plan.kind.endsWith('GET'), this.expected.isGet, `GET or scan, ${plan.kind}`)
      // Fewer where buckets are pruned by conditions behind the walk.
      if (!this.expected.isGet)
        assert.ok(examined <= this.expected.walked, `${examined} rows examined, the walk may use ${this.expected.walked}`)
      assert.ok(
        plan.buckets.read <= this.expected.mostBuckets,
        `${plan.buckets.read} buckets read, at most ${this.expected.mostBuckets} needed`,
      )
      assert.ok(plan.ranges <= this.expected.mostRanges, `${plan.ranges} ranges read, at most ${this.expected.mostRanges} needed`)
    }
    if (plan.buckets.read > 1) {
      const refused = await this.refusalOf(() => this.rows.scan(this.where, { ...this.options, maxFanOut: plan.buckets.read - 1 }).page())
      assert.equal(refused, 'FAN_OUT_EXCEEDED', 'one bucket more than maxFanOut')
    }
  }

  private async checkLimit(): Promise<void> {
    const limit = 1 + this.random.below(6)
    const scan = this.rows.scan(this.where, { ...this.options, limit })
    const plan = scan.explain()
    const before = this.work.examined
    assert.deepEqual((await scan.toArray()).map(textOf), this.inOrder.slice(0, limit), `rows of toArray() with limit ${limit}`)
    // Without a filter, a limit must not read much more than it returns: two rows per stream ahead, and what one refill fetches.
    if (plan.residual.length === 0 && plan.kind.endsWith('SCAN')) {
      const most = 2 * limit + 2 * plan.buckets.read
      assert.ok(
        this.work.examined - before <= most,
        `${this.work.examined - before} rows examined for a limit of ${limit}, at most ${most}`,
      )
    }
  }

  /** Pages of one size, going over to the other bucket count and back at random between pages. */
  private async checkPages(limit: number): Promise<number> {
    const got: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const rows = this.random.chance(0.5) ? this.rows : this.rebucketed
      const page = await rows.scan(this.where, { ...this.options, limit, ...(cursor === undefined ? {} : { cursor }) }).page()
      got.push(...page.rows.map(textOf))
      assert.ok(page.rows.length <= limit, 'a page is at most its limit')
      assert.equal(page.cursor === undefined, page.stop === 'exhausted', 'a cursor unless exhausted')
      cursor = page.cursor
      assert.ok(++pages <= 300, 'paging ends')
    } while (cursor !== undefined)
    assert.deepEqual(got, this.inOrder, `rows in pages of ${limit}`)
    return pages
  }

  /** Deletes and inserts between pages: rows that are there throughout come exactly once, in order, and nothing that does not match. */
  private async checkUnderWrites(): Promise<void> {
    const deleted: Row[] = []
    const inserted: Row[] = []
    const got: Row[] = []
    let cursor: string | undefined
    do {
      const page = await this.rows.scan(this.where, { ...this.options, limit: 2, ...(cursor === undefined ? {} : { cursor }) }).page()
      got.push(...(page.rows as Row[]))
      cursor = page.cursor
      const gone = this.random.pick([...this.expected.rows, ...got])
      await this.rows.delete(this.keyOf(gone))
      deleted.push(gone)
      const fresh = randomRow(this.random, this.table)
      if (this.stored.some((row) => compareKeys(this.table, row, fresh) === 0)) continue
      await this.rows.put(fresh)
      inserted.push(fresh)
    } while (cursor !== undefined)
    for (const row of inserted) await this.rows.delete(this.keyOf(row))
    for (const row of deleted) if (this.stored.some((other) => textOf(other) === textOf(row))) await this.rows.put(row)

    const direction = this.options.reverse ? -1 : 1
    got.forEach((row, i) => {
      assert.ok(matches(this.table, row, this.where), 'a row that does not match came under writes')
      assert.ok(i === 0 || direction * compareKeys(this.table, got[i - 1] as Row, row) < 0, 'order under writes')
    })
    const seen = new Set(got.map(textOf))
    const touched = new Set(deleted.map(textOf))
    for (const row of this.expected.rows)
      assert.ok(touched.has(textOf(row)) || seen.has(textOf(row)), 'a row that was there throughout is missing')
  }

  private keyOf(row: Row): Row {
    return Object.fromEntries(this.table.key.map(({ name }) => [name, row[name]]))
  }

  private async refusalOf(run: () => Promise<unknown>): Promise<string> {
    try {
      await run()
      return 'none'
    } catch (error) {
      if (isRowkeyError(error)) return error.code
      throw error
    }
  }
}
