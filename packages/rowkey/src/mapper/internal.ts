// For tests of rowkey.
export { createPausing, type Pauses } from './create-mapper.js'
export { computedValues, type ComputedValues } from './rows/computed-values.js'
