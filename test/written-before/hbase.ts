import type { HBaseClient } from '@rowkey/hbase-client'
import { models } from './models.js'

/** What a namespace of HBase has of these tables: their families and borders, and cells by row and qualifier, as base64. */
export interface HBaseTables {
  readonly tables: readonly {
    readonly name: string
    readonly families: readonly object[]
    readonly borders: readonly string[]
    readonly rows: readonly (readonly [row: string, cells: Readonly<Record<string, string>>])[]
  }[]
}

const catalogs = 'rowkey_catalogs'
const family = Buffer.from('f')
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Marks are drawn when a row is written, so they are left out, and made when it is restored. */
const mark = 'rk_mark'

export async function dump(client: HBaseClient, namespace: string): Promise<HBaseTables> {
  const tables = []
  for (const name of [...models.map((model) => model.name), catalogs]) {
    const table = `${namespace}:${name}`
    const { families } = await client.getTableDescriptor(table)
    const borders = (await client.regions(table)).map(({ start }) => base64(start))
    const results = await client.scan(table, { limit: 10_000 }, 10_000)
    const rows = results.map(({ row, cells }) => {
      const kept = cells.map(({ qualifier, value }) => [Buffer.from(qualifier).toString(), base64(value)] as const)
      return [base64(row as Uint8Array), Object.fromEntries(kept.filter(([qualifier]) => qualifier !== mark))] as const
    })
    tables.push({ name, families: families.map(({ name: family, maxVersions }) => ({ family, maxVersions })), borders, rows })
  }
  return { tables }
}

export async function restore(client: HBaseClient, namespace: string, { tables }: HBaseTables): Promise<void> {
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
  const { rows: stored } = tables.find(({ name }) => name === catalogs) as HBaseTables['tables'][number]
  const ids = new Map(
    stored.map(([row, { catalog = '' }]) => [bytes(row).toString(), /"id":"([^"]+)"/.exec(bytes(catalog).toString())?.[1] ?? '']),
  )
  for (const { name, borders, rows } of tables) {
    const attributes = { NEW_VERSION_BEHAVIOR: 'true' }
    const id = ids.get(name)
    const own = id === undefined ? {} : { attributes: { 'rowkey.id': id } }
    const splits = borders.map(bytes).filter(({ length }) => length > 0)
    await client.createTable({ name: `${namespace}:${name}`, families: [{ name: 'f', maxVersions: 1, attributes }], ...own }, splits)
    const marked = name === catalogs ? [] : [{ family, qualifier: Buffer.from(mark), value: Buffer.from('restored') }]
    for (const [row, cells] of rows) {
      const kept = Object.entries(cells).map(([qualifier, value]) => ({ family, qualifier: Buffer.from(qualifier), value: bytes(value) }))
      await client.put(`${namespace}:${name}`, { row: bytes(row), cells: [...kept, ...marked] })
    }
  }
}
