// Tested by catalogs.test.ts.
import type { CallOptions, KuduClient, KuduTable, TableDefinition } from '@rowkey/kudu-client'
import { catalogOfJSON, catalogToJSON, parseObject, type TableCatalog } from 'rowkey/adapter'
import { corruptCatalog, isKudu } from '../errors.js'
import { catalogTable, nameIn, type KuduOptions } from '../options.js'

/** The newest revision of a catalog. */
export interface StoredCatalog {
  readonly revision: number
  /** undefined: the table was dropped. */
  readonly catalog: TableCatalog | undefined
}

/** The table of catalogs: a revision is one or several rows, because a cell has at most 64 KiB. */
export const catalogDefinition = (options: KuduOptions): TableDefinition => ({
  name: nameIn(options, catalogTable),
  columns: [
    { name: 'name', type: 'STRING', isKey: true },
    { name: 'revision', type: 'INT32', isKey: true },
    { name: 'part', type: 'INT32', isKey: true },
    { name: 'parts', type: 'INT32', isKey: false },
    { name: 'catalog', type: 'STRING', isKey: false },
  ],
  range: [],
  ...(options.replicas === undefined ? {} : { replicas: options.replicas }),
})

/** Characters of a part; all are ASCII. */
const maxPart = 60_000

/**
 * Catalogs by their revisions. Kudu changes no row under a condition, but of two processes that insert the same revision, one is refused. So revisions
 * are only inserted, and the greatest one counts.
 */
export class CatalogRows {
  private readonly client: KuduClient
  private readonly options: KuduOptions
  private table: Promise<KuduTable> | undefined

  constructor(client: KuduClient, options: KuduOptions) {
    this.client = client
    this.options = options
  }

  /** Creates the table if it does not exist. Others may do so at the same time. */
  async make(options?: CallOptions): Promise<void> {
    if (await this.client.tableExists(nameIn(this.options, catalogTable), options)) return
    await this.client.createTable(catalogDefinition(this.options), options).catch((error: unknown) => {
      if (!isKudu(error, 'ALREADY_PRESENT')) throw error
    })
  }

  /** undefined: there never was one. @throws RowkeyError `CORRUPT_ROW` */
  async read(name: string, options?: CallOptions): Promise<StoredCatalog | undefined> {
    const rows = await this.rowsOf(name, options)
    const revision = Math.max(...rows.map((row) => row.revision))
    const own = rows.filter((row) => row.revision === revision)
    const first = own.find(({ part }) => part === 0)
    if (own.length === 0) return undefined
    // Who was slower may have left parts that have no place any more.
    const parts = own.filter(({ part }) => first !== undefined && part < first.parts).sort((a, b) => a.part - b.part)
    if (parts.length !== first?.parts) throw corruptCatalog(name)
    const text = parts.map(({ catalog }) => catalog).join('')
    return { revision, catalog: text === dropped ? undefined : parsed(name, text) }
  }

  /** Whether nobody was faster. `catalog` undefined: the table was dropped. */
  async insert(name: string, revision: number, catalog: TableCatalog | undefined, options?: CallOptions): Promise<boolean> {
    const table = await this.opened(options)
    const text = catalog === undefined ? dropped : ascii(JSON.stringify(catalogToJSON(catalog)))
    const parts = Math.ceil(text.length / maxPart)
    const rows = Array.from({ length: parts }, (_, part) => [name, revision, part, parts, text.slice(part * maxPart, (part + 1) * maxPart)])
    const { errors } = await this.client.write(
      table,
      rows.map((row) => ({ type: 'insert', row })),
      options,
    )
    const [first] = errors
    if (isKudu(first, 'ALREADY_PRESENT')) return false
    const error = errors.find((each) => each !== undefined)
    if (error !== undefined) throw error
    const there = await this.rowsOf(name, options)
    // Others may have inserted this revision and later ones, and deleted it as an old one, before ours was inserted.
    if (there.some((row) => row.revision > revision)) return false
    await this.forget(
      table,
      name,
      there.filter((row) => row.revision < revision - 1),
      options,
    )
    return true
  }

  /** Deletes old revisions. The one before the newest stays: somebody may be reading it. */
  private async forget(table: KuduTable, name: string, old: readonly CatalogRow[], options: CallOptions | undefined): Promise<void> {
    if (old.length === 0) return
    await this.client.write(
      table,
      old.map(({ revision, part }) => ({ type: 'deleteIgnore', row: [name, revision, part] })),
      options,
    )
  }

  private async rowsOf(name: string, options: CallOptions | undefined): Promise<readonly CatalogRow[]> {
    let table: KuduTable
    try {
      table = await this.opened(options)
    } catch (error) {
      if (isKudu(error, 'NOT_FOUND')) return []
      throw error
    }
    const rows: CatalogRow[] = []
    try {
      for await (const batch of this.client.scan(table, { where: [{ column: 'name', equals: name }] }, options)) {
        rows.push(...(batch.rows() as readonly object[] as readonly CatalogRow[]))
      }
    } catch (error) {
      this.table = undefined // it may have been dropped and created again
      if (!isKudu(error, 'NOT_FOUND')) throw error
      return []
    }
    return rows
  }

  private opened(options: CallOptions | undefined): Promise<KuduTable> {
    this.table ??= this.client.openTable(nameIn(this.options, catalogTable), options).catch((error: unknown) => {
      this.table = undefined
      throw error
    })
    return this.table
  }
}

interface CatalogRow {
  readonly revision: number
  readonly part: number
  readonly parts: number
  readonly catalog: string
}

/** The text of a table that was dropped. */
const dropped = '{}'

const ascii = (text: string): string =>
  text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function parsed(name: string, text: string): TableCatalog {
  const catalog = catalogOfJSON(parseObject(text))
  if (catalog === undefined || typeof catalog.store?.['id'] !== 'string') throw corruptCatalog(name)
  return catalog
}
