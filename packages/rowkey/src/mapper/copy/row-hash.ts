import type { Row, Value } from '#codec'
import type { TableSchema } from '#model'
import { latin1String, murmur3 } from '#codec/internal'

/** Four hashes of 32 bits. */
export const lanes = 4

/**
 * Hashes the values of rows by the names of their columns, so that equal rows have equal hashes whatever the key, the salt and the names in the
 * store. A null is like no column at all, and numbers are hashed by their value, whatever their type. The version is left out, because it says
 * how often a row was written, not what it contains.
 */
export class RowHash {
  private readonly columns: readonly { readonly name: string; readonly position: number; readonly absent: Value }[]
  private bytes = new Uint8Array(1024)

  constructor({ columns, versionIndex }: TableSchema) {
    this.columns = columns
      .map(({ name, type }, position) => ({
        name: `${name.length}:${name}`,
        position,
        // A null that is read in a required column counts as its constant default.
        absent: !type.nullable && type.default?.kind === 'constant' ? type.default.value : null,
      }))
      .filter(({ position }) => position !== versionIndex)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** The hashes of a row. */
  of(row: Row): readonly number[] {
    let text = ''
    for (const { name, position, absent } of this.columns) {
      const value = row[position] ?? absent
      if (value !== null) text += `${name}${valueText(value)}`
    }
    if (this.bytes.length < text.length * 3) this.bytes = new Uint8Array(text.length * 3)
    const { written } = new TextEncoder().encodeInto(text, this.bytes)
    return Array.from({ length: lanes }, (_, seed) => murmur3(this.bytes, written, seed))
  }
}

/** Type and length come first, so that no text can be read as other values. */
function valueText(value: Exclude<Value, null>): string {
  switch (typeof value) {
    case 'string':
      return `s${value.length}:${value}`
    case 'number':
      return `n${Object.is(value, -0) ? '-0' : value};`
    case 'bigint':
      return `n${value};`
    case 'boolean':
      return value ? 't' : 'f'
    default:
      return `b${value.length}:${latin1String(value)}`
  }
}
