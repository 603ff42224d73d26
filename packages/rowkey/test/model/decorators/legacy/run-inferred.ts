import { isRowkeyError } from 'rowkey/codec'
import { schemaOf, type Model } from 'rowkey'
import type { InvalidSchemaDetails } from 'rowkey/internal'
import { twins, Uncertain } from './inferred.js'

// What a compiled program sees of inferred types: JSON and fingerprints of both twins, or why a type is not certain.
const seen = (model: Model): unknown => {
  try {
    const schema = schemaOf(model)
    return { text: JSON.stringify(schema), ...schema.fingerprints }
  } catch (error) {
    if (!isRowkeyError(error, 'INVALID_SCHEMA')) throw error
    return (error.details as unknown as InvalidSchemaDetails).problems.map(({ message }) => message)
  }
}
console.log(JSON.stringify({ twins: twins.map((pair) => pair.map(seen)), uncertain: seen(Uncertain) }))
