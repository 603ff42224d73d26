export { defineTable, type TableDefinition } from './table/define-table.js'
export { schemaFromJSON } from './table/schema-from-json.js'
export { readSchemaJSON } from './table/read-schema-json.js'
export { renameTable } from './table/rename-table.js'
export { rowKeyText, seesFields } from './table/row-key-text.js'
export { isRowInstance, otherFields, schemaOf } from './table/schema-of.js'
export {
  isTableSchema,
  type ColumnJSON,
  type IndexJSON,
  type TableIndex,
  type SchemaColumn,
  type SchemaJSON,
  type ShapeOf,
  type TableSchema,
  type TableShape,
} from './schema.js'
export type { InvalidSchemaDetails, Problem, ProblemCode } from './problems.js'
export type { IndexDefinition } from './definition/index-definition.js'
export { Bucket, HashPrefix, Index, KuduHash, Table, Ttl } from './decorators/class-decorators.js'
export type {
  AnyFieldDecorator,
  ClassDecoratorFor,
  ColumnDecorator,
  FieldDecorator,
  InferringFieldDecorator,
  TableDecorator,
  TableOptions,
  Uncalled,
} from './decorators/decorator-types.js'
export type { Mistake } from './decorators/fits-row-key.js'
export { Check, Column, KeyColumn, PartitionKey, Version } from './decorators/field-decorators.js'
export { durationForm, durationMs, durationText, type Duration } from './definition/duration.js'
export type { SchemaChecks } from './definition/checks.js'
export type { StandardIssue, StandardResult, StandardSchema } from './definition/standard-schema.js'
export type {
  InferAmounts,
  InferConditions,
  InferFullWhere,
  InferInsert,
  InferKey,
  InferPatch,
  InferRow,
  InferWhere,
  InferWholeKey,
  InferWrites,
  Model,
} from './infer/infer.js'
export type { ModelClass } from './infer/class-types.js'
export { RowKey } from './infer/row-key.js'
export { equals, isEquals, valueIn, type Equals } from './infer/equals.js'
export { defined, type Defined } from './infer/defined.js'
// The parts of a predicate, as `Where.Range<Date>`.
export type * as Where from './infer/condition.js'
export { maxColumns } from './definition/check-definition.js'
