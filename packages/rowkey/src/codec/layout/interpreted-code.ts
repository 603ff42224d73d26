// Tested by dry-run.test.ts.
import type { ColumnCode, Shape } from '../compile/column-code.js'
import type { ColumnCodec } from '../type/column-codec.js'
import type { Value } from '../type/column-type.js'
import { Reader } from '../type/reader.js'
import { storedValues } from '../type/values.js'

/** What compiled code calls for a type without code of its own. Nothing in it throws, because the interpreter says what is wrong. */
interface InterpretedColumn {
  parseKey(given: unknown): Value | undefined
  parseRow(given: unknown): Value | undefined
  size(value: Value): number
  write(target: Uint8Array, at: number, value: Value): number
  /** Undefined if it is malformed; else {@link end} is after it. */
  readKey(bytes: Uint8Array, at: number): Value | undefined
  readRow(bytes: Uint8Array, at: number): Value | undefined
  end: number
  format(value: Value): unknown
  compare(a: Value, b: Value): number
}

function interpretedColumn(column: ColumnCodec): InterpretedColumn {
  const stored = storedValues(column.type, column.name)
  const readRow = quietly((bytes: Uint8Array, at: number) => {
    const reader = new Reader(bytes)
    reader.at = at
    const value = column.read(reader)
    calls.end = reader.at
    return value
  })
  const calls: InterpretedColumn = {
    parseKey: quietly((given) => column.values.toValue(given)),
    parseRow: quietly((given) => stored.toValue(given)),
    size: (value) => column.size(value),
    write: (target, at, value) => column.write(target, at, value),
    readRow,
    readKey: quietly((bytes, at) => {
      const value = readRow(bytes, at)
      if (value !== undefined) column.values.fromValue(value) // may refuse: not every integer is a safe number
      return value
    }),
    format: (value) => column.values.fromValue(value),
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
      return undefined // the interpreter fails at the same place and says why
    }
  }
}

/** Direction and null marker included. */
export function interpretedCode(column: ColumnCodec, index: number, shape: Shape): ColumnCode {
  const calls = `c${index}`
  const name = shape === 'key' ? 'Key' : 'Row'
  return {
    uses: { [calls]: interpretedColumn(column) },
    parse: (x) => `${calls}.parse${name}(${x})`,
    misfit: (v) => `${v}===undefined`,
    room: (v) => `${calls}.size(${v})`,
    write: (v) => `p=${calls}.write(b,p,${v});`,
    read: (v) => `${v}=${calls}.read${name}(b,p);if(${v}===undefined)return;p=${calls}.end;`,
    format: (v) => (shape === 'key' ? `${calls}.format(${v})` : v),
    canonical: (v) => v,
    compare: (a, b) => `t=${calls}.compare(${a},${b});if(t!==0)return t;`,
  }
}
