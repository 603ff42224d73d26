// Also tested by alter.test.ts.
import { KuduError } from '../error.js'
import { MalformedAnswer } from '../malformed-answer.js'
import { delayOf, type Masters } from '../masters.js'
import {
  alterTable,
  createTable,
  deleteTable,
  getTableSchema,
  isAlterTableDone,
  isCreateTableDone,
  listTables,
  rangesWithHash,
  type GetTableSchemaResponsePB,
  type IsDoneResponsePB,
  type Method,
  type TableRequestPB,
} from '../proto/messages.js'
import { checkList, each, kindOf, Refusal, refusing } from '../refusal.js'
import type { TableChange, TableDefinition, TableStatistics } from '../requests.js'
import type { KuduTable } from '../table.js'
import type { Waiting } from '../transport/waiting.js'
import { checkTogether, stepOf } from './changes.js'
import { checkDefinition, checkName } from './checks.js'
import { columnOf, columnSchemaOf } from './columns.js'
import { statisticsOf } from './statistics.js'
import { partitioningOf, partitionsOf } from './partitions.js'

/** What is done with tables, by the masters. */
export class Tables {
  readonly #masters: Masters

  constructor(masters: Masters) {
    this.#masters = masters
  }

  async open(name: string, waiting: Waiting): Promise<KuduTable> {
    refusing(waiting.call, () => checkName('name', name))
    return this.#schema({ tableName: name }, waiting)
  }

  async exists(name: string, waiting: Waiting): Promise<boolean> {
    refusing(waiting.call, () => checkName('name', name))
    try {
      await this.#masters.call(getTableSchema, { table: { tableName: name } }, waiting)
      return true
    } catch (error) {
      if (error instanceof KuduError && error.code === 'NOT_FOUND') return false
      throw error
    }
  }

  /** Names, in their order. */
  async list(prefix: string, waiting: Waiting): Promise<readonly string[]> {
    refusing(waiting.call, () => {
      if (typeof prefix !== 'string') throw new Refusal('prefix', `is ${kindOf(prefix)}. Give text`)
    })
    const { tables } = await this.#masters.call(listTables, prefix === '' ? {} : { nameFilter: prefix }, waiting)
    // The filter of the master is for names that have the text anywhere.
    return tables
      .map(({ name }) => name)
      .filter((name) => name.startsWith(prefix))
      .sort()
  }

  /** Resolves when all tablets take rows. */
  async create(definition: TableDefinition, waiting: Waiting): Promise<KuduTable> {
    const request = refusing(waiting.call, () => {
      checkDefinition(definition)
      const { name, columns, replicas, owner, comment } = definition
      const schema = { columns: columns.map(columnSchemaOf) }
      return { name, schema, numReplicas: replicas, owner, comment, ...partitionsOf(definition) }
    })
    const hasCustom = request.partitionSchema?.customHashSchemaRanges.length !== 0
    const method = hasCustom ? { ...createTable, features: rangesWithHash } : createTable
    const { tableId } = await this.#masters.call(method, request, waiting)
    waiting.hasEffect = true
    const table = { tableId: tableId ?? missing(waiting, 'an id') }
    await this.#done(isCreateTableDone, table, waiting)
    return this.#schema(table, waiting)
  }

  /** All changes in one request. */
  async alter(of: string | KuduTable, changes: readonly TableChange[], waiting: Waiting): Promise<KuduTable> {
    const { call } = waiting
    refusing(call, () => {
      checkNamed(of)
      checkList('changes', changes)
      if (changes.length === 0) throw new Refusal('changes', 'is empty')
    })
    const table = await this.#schema(identifierOf(of), waiting, { ...getTableSchema, prepares: true })
    const request = refusing(call, () => {
      const alterSchemaSteps: NonNullable<ReturnType<typeof stepOf>>[] = []
      let newTableName: string | undefined
      each('changes', changes, (change) => {
        const step = stepOf(table, change)
        if (step !== undefined) alterSchemaSteps.push(step)
        else if (newTableName !== undefined) throw new Refusal('renameTable', 'is there twice')
        else newTableName = (change as { readonly renameTable: string }).renameTable
      })
      checkTogether(alterSchemaSteps)
      // Bounds are rows over these columns.
      const schema = { columns: table.columns.map((column) => columnSchemaOf(column)) }
      return { table: { tableId: table.id }, alterSchemaSteps, newTableName, schema }
    })
    const hasCustom = request.alterSchemaSteps.some((step) => step.addRangePartition?.customHashSchema !== undefined)
    await this.#masters.call(hasCustom ? { ...alterTable, features: rangesWithHash } : alterTable, request, waiting)
    waiting.hasEffect = true
    await this.#done(isAlterTableDone, { tableId: table.id }, waiting)
    return this.#schema({ tableId: table.id }, waiting)
  }

  async delete(of: string | KuduTable, waiting: Waiting): Promise<void> {
    refusing(waiting.call, () => checkNamed(of))
    await this.#masters.call(deleteTable, { table: identifierOf(of) }, waiting)
  }

  /** What tablet servers have told, which is not of this moment. */
  statistics(table: KuduTable, waiting: Waiting): Promise<TableStatistics> {
    return statisticsOf(this.#masters, table.id, waiting)
  }

  async #schema(table: TableRequestPB['table'], waiting: Waiting, method = getTableSchema): Promise<KuduTable> {
    const answer = await this.#masters.call(method, { table }, waiting)
    try {
      return tableOf(answer, waiting)
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error
      throw waiting.error('MALFORMED_ANSWER', `was answered wrongly: ${error.message}.`, { isSent: waiting.isSent }, error)
    }
  }

  async #done(method: Method<TableRequestPB, IsDoneResponsePB>, table: TableRequestPB['table'], waiting: Waiting): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const { done = false } = await this.#masters.call(method, { table }, waiting)
      if (done) return
      await waiting.sleep(delayOf(attempt))
    }
  }
}

/** A name means the table that has it when the call is made, and a table this very one. */
const identifierOf = (of: string | KuduTable): TableRequestPB['table'] => (typeof of === 'string' ? { tableName: of } : { tableId: of.id })

function checkNamed(of: string | KuduTable): void {
  if (typeof of !== 'object' || of === null || typeof of.id !== 'string') checkName('name', of)
}

function tableOf(answer: GetTableSchemaResponsePB, waiting: Waiting): KuduTable {
  const { tableId, tableName, schema, partitionSchema, numReplicas = 0, comment = '', owner = '' } = answer
  if (schema === undefined || partitionSchema === undefined) return missing(waiting, 'columns or partitions')
  const columns = Object.freeze(schema.columns.map((column) => columnOf(column, waiting.call)))
  const keyColumns = columns.filter(({ isKey }) => isKey).length
  if (keyColumns === 0 || columns.slice(0, keyColumns).some(({ isKey }) => !isKey))
    throw new MalformedAnswer('it has columns of the key that are not the first')
  return Object.freeze({
    id: tableId ?? missing(waiting, 'an id'),
    name: tableName ?? missing(waiting, 'a name'),
    columns,
    keyColumns,
    ...partitioningOf(columns, partitionSchema),
    replicas: numReplicas,
    comment,
    owner,
  })
}

function missing(waiting: Waiting, what: string): never {
  throw waiting.error('MALFORMED_ANSWER', `was answered without ${what} of the table.`, { isSent: waiting.isSent })
}
