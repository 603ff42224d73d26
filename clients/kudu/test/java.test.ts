import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seeded, type Random } from '../../../test/kit/seeded.js'
import type { KuduClient, KuduTable, Predicate, ReadRow, Row, Value } from '../src/index.js'
import { primaryKey } from '../src/rows/keys.js'
import { partitionKey } from '../src/rows/partition-key.js'
import type { TableColumn } from '../src/table.js'
import { clientsOf, rowsOf } from './clients.js'
import { cellOfWord, predicateWords, rowWord, startJava, tableWords, type JavaProgram } from './java.js'
import { definitions } from './java-tables.js'
import { holdsFor, randomPredicate } from './random-predicates.js'
import { randomKey, randomValue } from './random-values.js'
import { withKudu } from './with-kudu.js'

withKudu('kudu', () => {
  // What Kudu's own client for Java, in another program, makes of the same tables, rows and scans.

  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
  const { client: newClient, server } = clientsOf()
  let client: KuduClient
  let java: JavaProgram
  beforeAll(async () => {
    client = newClient()
    java = startJava(server().connection)
    for (const definition of definitions) await java.run('create', ...tableWords(definition))
  })
  afterAll(() => java.end())

  const open = (name: string): Promise<KuduTable> => client.openTable(name)

  describe.each(definitions.map(({ name }) => name))('%s', (name) => {
    test('keys and partition keys', async () => {
      const random = seeded()
      const table = await open(name)
      const rows = Array.from({ length: 1_100 }, () => randomKey(random, table))
      const answer = await java.run('keys', name, ...rows.map((row) => rowWord(table.columns, row)))
      const ours = rows.map((row) => `${hex(primaryKey(table, row))}/${hex(partitionKey(table, row).bytes)}`)
      expect(ours).toEqual(answer.split(' '))
    })

    test('the tablets that a scan reads', async () => {
      const random = seeded()
      const table = await open(name)
      const tablets = (await java.run('tablets', name, '-', '-')).split(' ')
      let [compared, pruned] = [0, 0]
      for (let round = 0; round < 120; round++) {
        const where = Array.from({ length: random.below(5) }, () => predicateOf(random, table))
        const [start, stop] = [random.below(4), random.below(4)].map((each) => (each === 0 ? randomKey(random, table) : undefined))
        const word = (row: Value[] | undefined): string => (row === undefined ? '-' : rowWord(table.columns, row))
        const words = where.flatMap((predicate) => predicateWords(table.columns, predicate))
        const answer = await java.run('tablets', name, word(start), word(stop), ...words).catch((error: unknown) => {
          // It fails where a bound of the key and a predicate leave nothing, and where a DECIMAL of 128 bits is counted up from -1.
          if ((error as Error).message.includes('IllegalStateException')) return undefined
          throw error
        })
        if (answer === undefined) continue
        compared++
        const found = (await client.tablets(table, { where, start, stop })).map(({ id }) => id)
        if (found.length < tablets.length) pruned++
        if (found.join(' ') !== answer) expect({ where, start, stop, found }).toEqual({ where, start, stop, found: answer.split(' ') })
      }
      expect(compared).toBeGreaterThan(100)
      expect(pruned).toBeGreaterThan(20)
    })

    test('rows that one has written and the other reads', async () => {
      const random = seeded()
      const table = await open(name)
      const { columns, keyColumns } = table
      const rows = Array.from({ length: 400 }, () =>
        columns.map((column, position) => (position >= keyColumns && random.below(4) === 0 ? null : randomValue(random, column))),
      )
      const ours = rows.slice(0, 200)
      const { errors } = await client.write(
        table,
        ours.map((row) => ({ type: 'upsert', row })),
      )
      expect(errors.filter((error) => error !== undefined && error.code !== 'NO_PARTITION')).toEqual([])
      const theirs: Value[][] = []
      for (const row of rows.slice(200)) {
        const where = columns.slice(0, keyColumns).map((column, index) => ({ column: column.name, equals: row[index] as Value }))
        if ((await client.tablets(table, { where })).length > 0) theirs.push(row as Value[])
      }
      await java.run('write', name, ...theirs.map((row) => rowWord(columns, row)))
      const words = new Map(
        [...ours.filter((_, index) => errors[index] === undefined), ...theirs].map((row) => [hex(primaryKey(table, row)), row]),
      )
      const expected = [...words.values()].map((row) => rowWord(columns, row)).sort()
      const read = (await java.run('read', name)).split(' ')
      expect(read.toSorted()).toEqual(expected)
      const wordOf = (row: ReadRow): string =>
        rowWord(
          columns,
          columns.map((column) => row[column.name] as Value | null),
        )
      const scanned = await rowsOf(client.scan(table))
      expect(scanned.map(wordOf).sort()).toEqual(expected)
      const ordered = await rowsOf(client.scan(table, { isOrdered: true, batchBytes: 1 }))
      expect(ordered.map(wordOf).sort()).toEqual(expected)
      const keys = [...words.values()].map((row) => row.slice(0, keyColumns))
      const got = await client.getMany(table, keys)
      expect(got.map((row) => wordOf(row as ReadRow)).sort()).toEqual(expected)
      // And its own words are the values that were written.
      expect(read.map((word) => word.split(',').map((cell, position) => cellOfWord(columns[position] as TableColumn, cell)))).toEqual(
        expect.arrayContaining([...words.values()].slice(0, 5)),
      )
    })

    test('predicates on all columns leave the same rows', async () => {
      const random = seeded()
      const table = await open(name)
      const all = await rowsOf(client.scan(table))
      for (let round = 0; round < 40; round++) {
        const where = Array.from({ length: 1 + random.below(2) }, () =>
          randomPredicate(random, table.columns[random.below(table.columns.length)] as TableColumn),
        )
        const expected = all.filter((row) => where.every((predicate) => holdsFor(predicate, row[predicate.column] as Value | null)))
        const found = await rowsOf(client.scan(table, { where }))
        const inOrder = (rows: readonly ReadRow[]): string[] => rows.map((row) => hex(primaryKey(table, row as Row))).sort()
        if (inOrder(found).join() !== inOrder(expected).join()) expect({ where, found }).toEqual({ where, found: expected })
      }
    })
  })

  /** On a column of the key, mostly. */
  const predicateOf = (random: Random, { columns, keyColumns }: KuduTable): Predicate =>
    randomPredicate(random, columns[random.below(10) === 0 ? random.below(columns.length) : random.below(keyColumns)] as TableColumn)
})
