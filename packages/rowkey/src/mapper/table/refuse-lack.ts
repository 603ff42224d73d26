// Tested by packages/rowkey/test/mapper/exact-index.test.ts and caps.test.ts.
import { RowkeyError } from '#codec'
import type { TableSchema } from '#model'
import { isExact } from '#model/internal'
import type { Adapter } from '#store/adapter'

/** Refuses a model whose writes a store cannot do. @throws RowkeyError `NOT_SUPPORTED` */
export function refuseLack(adapter: Adapter, schema: TableSchema): void {
  refuseConditions(adapter, schema)
  refuseVersions(adapter, schema)
  refuseExact(adapter, schema)
}

function refuseConditions(adapter: Adapter, { name, writes, expiryIndex, versionIndex }: TableSchema): void {
  const { conditions } = adapter.capabilities
  if (writes === 'plain' || conditions === 'version' || conditions === 'columns') return
  if (conditions !== 'presence') {
    throw lacking(adapter, name, `has no conditional writes, which '${name}' needs. Declare the table with writes: 'plain'.`)
  }
  if (expiryIndex < 0 && versionIndex < 0) return
  const needs = versionIndex < 0 ? 'expiry in its conditions' : 'versions'
  const remedies = [...(versionIndex < 0 ? [] : ['without version']), ...(expiryIndex < 0 ? [] : ["with writes: 'plain', or without ttl"])]
  throw lacking(adapter, name, `does not support ${needs}, which '${name}' needs. Declare the table ${remedies.join(', and ')}.`)
}

/** Entries of tables with conditional writes have versions, by which stale ones are removed. */
function refuseVersions(adapter: Adapter, { name, indexes }: TableSchema): void {
  const [index] = indexes.filter(({ schema }) => schema.versionIndex >= 0)
  const { conditions } = adapter.capabilities
  if (index === undefined || conditions === 'version' || conditions === 'columns') return
  const message = `does not support versions, which the entries of index '${index.name}' of '${name}' need. Declare the table with writes: 'plain'.`
  throw lacking(adapter, name, message)
}

function refuseExact(adapter: Adapter, schema: TableSchema): void {
  const { atomic, conditions } = adapter.capabilities
  if (!isExact(schema) || (atomic.scope === 'store' && conditions === 'columns')) return
  const index = schema.indexes.find(({ unique, definition }) => unique || definition.include !== undefined)?.name ?? ''
  const message =
    `cannot write rows of two tables all or none, which index '${index}' of '${schema.name}' needs, because it has unique or include. ` +
    'Declare it without, and insert() what has to be unique into a table of which it is the key.'
  throw lacking(adapter, schema.name, message, 'atomic')
}

const lacking = ({ name: adapter }: Adapter, table: string, message: string, capability: 'conditions' | 'atomic' = 'conditions'): Error =>
  new RowkeyError('NOT_SUPPORTED', `${adapter} ${message}`, { table, capability, adapter })
