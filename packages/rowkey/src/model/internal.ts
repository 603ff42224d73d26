// For other rooms of rowkey, not for packages.
export { computedColumns, type ComputedColumn } from './table/computed.js'
export { isExact } from './table/table-index.js'
export { freezeSchema, type SchemaData } from './table/compile-table.js'
export { typeInStore } from './table/type-in-store.js'
