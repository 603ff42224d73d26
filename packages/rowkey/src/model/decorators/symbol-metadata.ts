// Standard decorators pass metadata only if Symbol.metadata exists when the class is evaluated, and Node.js 20 does not have it. The
// registered symbol is the one that other polyfills and compilers fall back to. This package is always imported before any model.
const symbols = Symbol as { metadata?: symbol }
symbols.metadata ??= Symbol.for('Symbol.metadata')

/** Where a class keeps its decorator metadata, in both modes. */
export const metadataKey: symbol = symbols.metadata
