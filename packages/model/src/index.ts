export type { Column, ColumnJSON, SchemaJSON, ShapeOf, TableSchema, TableShape } from './schema.js'
