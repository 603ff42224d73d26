// Standard decorators hand over metadata only where Symbol.metadata exists when the class is evaluated; Node 20 has none. The
// registered symbol is the one other polyfills and compilers fall back to. Importing this package comes before any model.
const symbols = Symbol as { metadata?: symbol }
symbols.metadata ??= Symbol.for('Symbol.metadata')

/** Where a class keeps its decorator metadata, in both modes. */
export const metadataKey: symbol = symbols.metadata
