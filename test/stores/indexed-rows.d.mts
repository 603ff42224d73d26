import type { Model, TableSchema } from 'rowkey'

export declare const tags: readonly string[]
export declare const owners: readonly string[]
export declare const indexedModelOf: (rowkey: typeof import('rowkey'), isPlain: boolean) => TableSchema & Model
