// For tests of rowkey.
export { createPausing, type Pauses } from './create-mapper.js'
