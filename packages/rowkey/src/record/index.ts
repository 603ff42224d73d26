export { RecordFormat } from './record-format.js'
export type { RecordReader } from './record-reader.js'
export { RecordRows } from './record-rows.js'
