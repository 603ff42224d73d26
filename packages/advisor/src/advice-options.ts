// Tested by advise.test.ts and input-forms.test.ts.
import { isPlainObject, nearestName, show, showName } from 'rowkey/internal'
import type { Model, TableSchema } from 'rowkey'
import type { KnownStore, StoreDescription } from 'rowkey/adapter'
import { isOf } from './data/drawn-rows.js'
import type { TableStats } from './data/table-stats.js'
import { anyObject, listOf, objectOf, optional, refused, type Form } from './forms.js'
import type { Ignore } from './ignore.js'
import { checkStore, ignoreForm, kuduForm, queryForm, schemasOf, serversForm, statsForm, storeForm, writesForm } from './input-forms.js'
import type { QueryShape } from './subject/queries.js'
import type { KuduOptions } from './subject/store-profile.js'
import type { WriteLoad } from './subject/subject.js'

/** What is known of tables, apart from their models. Each part makes more rules speak. */
export interface AdviceOptions {
  readonly queries?: readonly QueryShape[]
  readonly writes?: readonly WriteLoad[]
  /** Of samples of rows, by {@link sampleStats}. */
  readonly stats?: readonly TableStats[]
  /**
   * The store that the tables will be in, by its name or its description (`cassandraStore`, …), whose own warnings are then among the findings. Without
   * one, it is judged as a store that keeps rows in the order of their keys on many servers.
   */
  readonly store?: KnownStore | StoreDescription
  /** Options of its adapter that are about tables, such as `{ profile: 'lindorm' }` or `{ shards: 16 }`. */
  readonly storeOptions?: object
  /** Servers of the store that hold data. */
  readonly servers?: number
  /** What models do not say of tables in Kudu. */
  readonly kudu?: KuduOptions
  /** The models of tables that exist, one or many. */
  readonly existing?: Model | readonly Model[]
  /** Findings that are meant, with a reason; a model can contain its own, see {@link Ignore}. */
  readonly ignore?: readonly Ignore[]
}

/** What is judged, and the existing tables. */
export interface Judged {
  readonly schemas: readonly TableSchema[]
  readonly existing: readonly TableSchema[]
}

/**
 * The schemas of models, if everything is as it has to be.
 *
 * @throws RowkeyError `INVALID_OPTION` for what is of no table, there twice, missing, of another form, or a field that does not exist
 * @throws RowkeyError `NOT_A_TABLE`, `INVALID_SCHEMA` for a class that describes no table
 */
export function checkedOptions(models: Model | readonly Model[], options: AdviceOptions): Judged {
  // The entries of an index are a table with a key of its own.
  const schemas = schemasOf(models, { of: 'advise()', path: ['models'] })
  const withEntries = schemas.flatMap((schema) => [schema, ...schema.indexes.map((index) => index.schema)])
  const byTable = new Map<string, TableSchema>()
  for (const schema of withEntries) {
    const { name } = schema
    if (byTable.has(name)) throw refused('models', name, `two models have the name '${showName(name)}'. Give each table once.`)
    byTable.set(name, schema)
  }
  optionsForm(byTable)(options, { of: 'advise()', path: [] })
  checkStore(options)
  for (const stats of options.stats ?? []) {
    const { table, layout, drawn } = stats
    const schema = byTable.get(table)
    if (layout === schema?.fingerprints.layout) {
      if (schema === undefined || isOf(stats, schema)) continue
      throw refused(
        'drawn',
        drawn,
        `the statistics of '${showName(table)}' have rowkeys that the table cannot have. Compute them again with sampleStats().`,
      )
    }
    throw refused(
      'stats',
      table,
      `the statistics of '${showName(table)}' are of another key or salt. Compute them again with sampleStats().`,
    )
  }
  return { schemas, existing: schemasOf(options.existing ?? [], { of: 'advise()', path: ['existing'] }) }
}

/** Every field of every part has a form, so that nothing is passed over, and no rule meets a value that it does not expect. */
const optionsForm = (byTable: ReadonlyMap<string, TableSchema>): Form =>
  objectOf<AdviceOptions>(
    {
      queries: optional(ofTables(byTable, 'queries', 'a query on', queryForm)),
      writes: optional(ofTables(byTable, 'writes', 'writes of', writesForm)),
      stats: optional(ofTables(byTable, 'stats', 'stats of', statsForm)),
      store: optional(storeForm),
      storeOptions: optional(anyObject),
      servers: optional(serversForm),
      kudu: optional(kuduForm([...byTable.values()])),
      existing: optional((given, place) => void schemasOf(given as Model, place)),
      ignore: optional(listOf((given) => ignoreForm(given, { of: 'ignore', path: [] }))),
    },
    'option',
  )

/** A list of what is each of a table. Only of queries a table may have several. */
function ofTables(byTable: ReadonlyMap<string, TableSchema>, option: string, title: string, formOf: (schema: TableSchema) => Form): Form {
  return (list, place) => {
    const forms = new Map<string, Form>()
    listOf((each) => {
      const table = isPlainObject(each) ? each['table'] : undefined
      const schema = typeof table === 'string' ? byTable.get(table) : undefined
      if (schema === undefined) throw ofNoTable(option, table, [...byTable.keys()])
      const { name } = schema
      const known = forms.get(name)
      if (known !== undefined && option !== 'queries') throw refused(option, name, `${option} has '${showName(name)}' twice. Give it once.`)
      const form = known ?? formOf(schema)
      forms.set(name, form)
      form(each, { of: `${title} '${showName(name)}'`, path: [] })
    })(list, place)
  }
}

function ofNoTable(option: string, table: unknown, names: readonly string[]): Error {
  const nearest = typeof table === 'string' ? nearestName(table, names) : undefined
  const meant = nearest === undefined ? '' : ` Did you mean ${show(nearest)}?`
  const known = names.slice(0, 5).map(showName).join(', ')
  return refused(option, table, `${option} name the table ${show(table)}, which is not among the models.${meant} Give one of: ${known}.`)
}
