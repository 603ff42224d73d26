import { isRowkeyError } from 'rowkey/codec'
import { schemaOf } from 'rowkey'
import type { InvalidSchemaDetails } from 'rowkey/internal'
import { Contradictions } from './contradictions.js'
import { twins } from './models.js'

// What a compiled program sees: the schemas of the decorated classes, and contradictions of `design:type`.
const contradictions = (): readonly string[] => {
  try {
    schemaOf(Contradictions)
    return []
  } catch (error) {
    if (!isRowkeyError(error, 'INVALID_SCHEMA')) throw error
    return (error.details as unknown as InvalidSchemaDetails).problems.map(({ code, message }) => `${code} ${message}`)
  }
}

const schemas = twins.map(([decorated]) => ({ text: JSON.stringify(schemaOf(decorated)), ...schemaOf(decorated).fingerprints }))
const symbol = String((Symbol as { metadata?: symbol }).metadata)
console.log(JSON.stringify({ schemas, symbol, contradictions: contradictions() }))
