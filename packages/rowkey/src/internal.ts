// For the packages that integrate rowkey, such as its command: nothing here is stable.
export * from '#codec/internal'
export * from '#model'
export * from '#store'
export * from '#store/engine'
export * from '#store/write'
export * from '#mapper'
export * from '#memory'
// Names that two rooms have.
export { checkKey } from '#codec/internal'
export { Table } from '#model'
export { computedColumns } from '#model/internal'
export { computedValues, type ComputedValues } from '#mapper/internal'
export type { Table as OpenTable } from '#store/engine'
