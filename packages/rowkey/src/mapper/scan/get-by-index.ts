// Tested by packages/rowkey/test/mapper/exact-index.test.ts.
import { RowkeyError } from '#codec'
import { indexNamed } from '#store/engine'
import { checkOptions } from '../call/check-options.js'
import type { GetOptions } from '../repository-types.js'
import type { TableHandle } from '../table/table-handle.js'
import { RepositoryScan, type RemoveRows } from './scan.js'
import { readRules } from './scan-options.js'

type Given = Readonly<Record<string, unknown>>

/** The row that has these values in a unique index. @throws RowkeyError `INVALID_OPTION` for an index that is none, or not unique */
export async function getByIndex(
  handle: TableHandle,
  removeRows: RemoveRows,
  values: Given,
  { index: name, ...options }: GetOptions & { readonly index?: string },
): Promise<object | undefined> {
  checkOptions('get()', options, readRules)
  const index = indexNamed(handle.schema, String(name))
  if (!index.unique) {
    const message = `get() of '${handle.schema.name}' takes a unique index, and '${index.name}' is not: several rows may have these values. Use scan().`
    throw new RowkeyError('INVALID_OPTION', message, { option: 'index', value: index.name })
  }
  const { rows } = handle.entries(index)
  const [row] = await new RepositoryScan(handle, removeRows, rows.keyOf(rows.toKey(values)) as Given, {
    ...options,
    index: index.name,
  }).toArray()
  return row
}
