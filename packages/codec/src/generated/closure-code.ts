import type { ColumnCodec } from '../encodings/column-codec.js'
import type { Value } from '../values/value.js'
import type { ColumnCode, Shape } from './code.js'
import { Reader } from '../encodings/reader.js'
import { storedValues } from '../values/stored.js'

/** What generated code calls for a kind without code of its own. Nothing in it throws: the closures tell what is wrong. */
interface ClosureColumn {
  takeKey(given: unknown): Value | undefined
  takeRow(given: unknown): Value | undefined
  size(value: Value): number
  write(target: Uint8Array, at: number, value: Value): number
  /** Undefined for what is malformed; else {@link end} is behind it. */
  readKey(bytes: Uint8Array, at: number): Value | undefined
  readRow(bytes: Uint8Array, at: number): Value | undefined
  end: number
  give(value: Value): unknown
  compare(a: Value, b: Value): number
}

function closureColumn(column: ColumnCodec): ClosureColumn {
  const stored = storedValues(column.type, column.name)
  const readRow = quietly((bytes: Uint8Array, at: number) => {
    const reader = new Reader(bytes)
    reader.at = at
    const value = column.read(reader)
    calls.end = reader.at
    return value
  })
  const calls: ClosureColumn = {
    takeKey: quietly((given) => column.values.toValue(given)),
    takeRow: quietly((given) => stored.toValue(given)),
    size: (value) => column.size(value),
    write: (target, at, value) => column.write(target, at, value),
    readRow,
    readKey: quietly((bytes, at) => {
      const value = readRow(bytes, at)
      if (value !== undefined) column.values.fromValue(value) // may refuse: not every integer is a safe number
      return value
    }),
    give: (value) => column.values.fromValue(value),
    end: 0,
    compare: (a, b) => column.compare(a, b),
  }
  return calls
}

function quietly<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R | undefined {
  return (...args) => {
    try {
      return run(...args)
    } catch {
      return undefined // the closures meet the same again, and tell
    }
  }
}

/** Direction and null marker included. */
export function closureCode(column: ColumnCodec, index: number, shape: Shape): ColumnCode {
  const calls = `c${index}`
  const name = shape === 'key' ? 'Key' : 'Row'
  return {
    uses: { [calls]: closureColumn(column) },
    take: (x) => `${calls}.take${name}(${x})`,
    misfit: (v) => `${v}===undefined`,
    room: (v) => `${calls}.size(${v})`,
    write: (v) => `p=${calls}.write(b,p,${v});`,
    read: (v) => `${v}=${calls}.read${name}(b,p);if(${v}===undefined)return;p=${calls}.end;`,
    give: (v) => (shape === 'key' ? `${calls}.give(${v})` : v),
    canonical: (v) => v,
    compare: (a, b) => `t=${calls}.compare(${a},${b});if(t!==0)return t;`,
  }
}
