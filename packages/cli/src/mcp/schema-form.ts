// Tested by mcp-client.test.ts.
import { bool, bytes, date, decimal, float32, float64, int16, int32, int64, int8, json, lastBytes, lastText, text, timestamp, uint16, uint32, uint64, uint8, ulid, uuid } from 'rowkey/codec' // prettier-ignore
import { isPlainObject } from 'rowkey/internal'

type Given = Readonly<Record<string, unknown>>

/** Types that need no options, by their kinds. */
const plainTypes: Readonly<Record<string, () => object>> = { text, bytes, lastText, lastBytes, bool, uuid, ulid, json, date, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 } // prettier-ignore

/** A design of a table as an assistant writes it. A test reads it with the tools. */
const exampleSchema: Given = {
  name: 'logs',
  salt: [{ kind: 'hash', of: ['host'], count: 16 }],
  columns: [
    { name: 'host', role: 'key', type: { kind: 'text' } },
    { name: 'at', role: 'key', type: { kind: 'timestamp', unit: 'ms', desc: true } },
    { name: 'line', role: 'value', type: { kind: 'text' } },
    { name: 'price', role: 'value', type: { kind: 'decimal', precision: 9, scale: 2, nullable: true } },
  ],
}

/** What tools say of the form of a schema. */
export const schemaForm: string =
  `Schemas as JSON, for designs that are in no file yet; by default the models of the project. Example: ${JSON.stringify([exampleSchema])}. ` +
  'Columns are in the order of the key: first those with role "partition" (rows that are stored together; may be none), then those with role "key", then ' +
  `"value". Kinds of types: ${Object.keys(plainTypes).join(', ')}, timestamp (unit "ms", "us" or "ns"), decimal (precision, scale). Each takes ` +
  '"desc": true in a key, and "nullable": true. "salt" spreads rows, and may be empty: {"kind":"hash","of":[columns],"count":n}. ' +
  'The tool layout answers with the whole JSON of a schema, and changes of findings have the same form.'

/** A schema with what was left out of it. What is wrong with it is said when it is read. */
export function filledSchema(given: Given): Given {
  const { columns, salt = [] } = given
  return {
    format: 1,
    writes: 'conditional',
    ...given,
    salt: Array.isArray(salt) ? salt.map(filledSalt) : salt,
    ...(Array.isArray(columns) ? { columns: columns.map(filledColumn) } : {}),
  }
}

const filledSalt = (salt: unknown): unknown =>
  isPlainObject(salt) && salt['kind'] === 'hash' ? { ...salt, seed: salt['seed'] ?? 0 } : salt

const filledColumn = (column: unknown): unknown =>
  isPlainObject(column) ? { physical: column['name'], ...column, type: filledType(column['type']) } : column

function filledType(given: unknown): unknown {
  const type: unknown = typeof given === 'string' ? { kind: given } : given
  if (!isPlainObject(type)) return type
  const { kind, unit = 'ms', precision, scale, nullable } = type
  const made =
    kind === 'timestamp' && (unit === 'ms' || unit === 'us' || unit === 'ns')
      ? timestamp(unit)
      : kind === 'decimal' && isDigits(precision) && isDigits(scale)
        ? decimal(precision, scale)
        : typeof kind === 'string' && Object.hasOwn(plainTypes, kind)
          ? plainTypes[kind]?.()
          : {}
  // Whether values have an order follows from the kind, and is not in the JSON of a schema.
  const { ordered: _, ...known } = JSON.parse(JSON.stringify(made ?? {})) as Record<string, unknown>
  return { ...known, ...(nullable === true ? { nulls: 'first' } : {}), ...type }
}

const isDigits = (given: unknown): given is number => Number.isInteger(given) && (given as number) >= 0 && (given as number) <= 38
