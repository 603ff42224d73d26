import type { TableSchema } from '#model'
import {
  inTime,
  tableNotFound,
  type Adapter,
  type Partition,
  type PartitionRange,
  type RangeChanges,
  type Slice,
  type SupportsRanges,
  type TableCatalog,
} from '#store/adapter'
import { RowkeyError } from '#codec'
import { isPlainObject, show } from '#codec/internal'
import { cancellationOf, cancelRules, type CancelOptions } from './call/cancellation.js'
import { checkOptions, isFlag } from './call/check-options.js'
import type { MapperContext } from './table/table-handle.js'

/** Options of `db.partitions()`. */
export interface PartitionsOptions extends CancelOptions {
  /** Whether rows are counted, which reads the keys of the whole table. Default false. */
  countRows?: boolean
}

/** Options of `db.rotate()`. */
export interface RotateOptions extends CancelOptions {
  /** Only says what would be changed. Default false. */
  dryRun?: boolean
}

type Call<Result> = (adapter: SupportsRanges, catalog: TableCatalog, cancellation: ReturnType<typeof cancellationOf>) => Promise<Result>

/** Runs a call on the ranges of a table that exists. @throws RowkeyError `NOT_SUPPORTED`, `TABLE_NOT_FOUND` */
async function onRanges<Result>(
  { adapter, clock }: MapperContext,
  schema: TableSchema,
  method: string,
  options: CancelOptions,
  call: Call<Result>,
): Promise<Result> {
  const ranged = adapter as Adapter & Partial<SupportsRanges>
  const { name } = schema
  if (ranged.rotate === undefined) {
    const message = `${adapter.name} does not cut tables by ranges, so '${name}' has none. Use an adapter that does, such as kudu().`
    throw new RowkeyError('NOT_SUPPORTED', message, { table: name, capability: method, adapter: adapter.name })
  }
  const cancellation = cancellationOf(options, clock, method, name)
  cancellation?.throwIfOver()
  const catalog = await inTime(cancellation, adapter.describeTable(name))
  if (catalog === undefined) throw tableNotFound(name)
  return inTime(cancellation, call(ranged as SupportsRanges, catalog, cancellation))
}

/** `slices`: only the partitions that have rows of them. */
export function partitions(
  context: MapperContext,
  schema: TableSchema,
  options: PartitionsOptions,
  slices?: readonly Slice[],
): Promise<readonly Partition[]> {
  checkOptions('partitions()', options, { countRows: isFlag, ...cancelRules })
  const { countRows } = options
  return onRanges(context, schema, 'partitions', options, (adapter, catalog, cancellation) =>
    adapter.partitions(schema, catalog, { slices, countRows, cancellation }),
  )
}

export function changeRanges(
  context: MapperContext,
  schema: TableSchema,
  method: 'addRange' | 'dropRange',
  range: PartitionRange,
  options: CancelOptions,
): Promise<void> {
  checkOptions(`${method}()`, options, cancelRules)
  const given: unknown = range
  const isPoint = (end: unknown): boolean => end === undefined || isPlainObject(end)
  const isRange =
    isPlainObject(given) &&
    Object.keys(given).every((end) => end === 'from' || end === 'to') &&
    isPoint(given['from']) &&
    isPoint(given['to'])
  if (!isRange) {
    throw new RowkeyError('INVALID_OPTION', `${method}() takes a range such as { from: { at }, to: { at } }, not ${show(given)}.`, {
      option: 'range',
      value: show(given),
    })
  }
  const changes: RangeChanges = method === 'addRange' ? { add: [range], drop: [] } : { add: [], drop: [range] }
  return onRanges(context, schema, method, options, (adapter, catalog, cancellation) =>
    adapter.changeRanges(schema, catalog, changes, { cancellation }),
  )
}

export function rotate(context: MapperContext, schema: TableSchema, options: RotateOptions): Promise<RangeChanges> {
  checkOptions('rotate()', options, { dryRun: isFlag, ...cancelRules })
  const { dryRun = false } = options
  return onRanges(context, schema, 'rotate', options, (adapter, catalog, cancellation) =>
    adapter.rotate(schema, catalog, { now: context.clock(), dryRun, cancellation }),
  )
}
