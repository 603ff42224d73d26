// Tested by limits.test.ts.
import { checkText, maxRowLengthOf, Refusal } from './limits.js'
import { show } from '../show.js'
import type { Writer } from '../thrift/writer.js'

/** The name of a table, as HBase takes its parts. */
interface TableName {
  /** Undefined: the default one. */
  readonly namespace: string | undefined
  readonly qualifier: string
}

/** Names of tables that have been checked. There are few of them, and every call has one. */
const checked = new Map<string, TableName>()
const maxChecked = 1_000

/** The parts of `table` or `namespace:table`. */
function parse(name: string): TableName {
  const known = checked.get(name)
  if (known !== undefined) return known
  checkText('table', name)
  const colon = name.indexOf(':')
  const namespace = colon < 0 ? undefined : name.slice(0, colon)
  const qualifier = name.slice(colon + 1)
  if (namespace !== undefined) checkNamespace('table', namespace, name)
  if (!/^[\p{Alphabetic}\p{Nd}_][\p{Alphabetic}\p{Nd}_.-]*$/u.test(qualifier)) {
    throw new Refusal(
      'table',
      `is ${show(name)}. The name of a table has letters, digits, '_', '-' and '.', and begins with none of the last two`,
    )
  }
  if (checked.size >= maxChecked) checked.clear()
  const parsed = { namespace, qualifier }
  checked.set(name, parsed)
  return parsed
}

export function checkNamespace(path: string, namespace: string, shown: string = namespace): void {
  checkText(path, namespace)
  if (!/^[\p{Alphabetic}\p{Nd}_]+$/u.test(namespace)) {
    throw new Refusal(path, `is ${show(shown)}. A namespace has letters, digits and '_'`)
  }
}

/** The first field of every call for rows. */
export function writeTable(writer: Writer, name: string): void {
  parse(name)
  const bytes = Buffer.from(name, 'utf8')
  writer.maxRowLength = maxRowLengthOf(bytes.length)
  writer.binary(1, bytes)
}

/** A `TTableName` as a field: calls for tables want its parts. */
export function writeTableName(writer: Writer, field: number, name: string): void {
  const { namespace, qualifier } = parse(name)
  writer.struct(field)
  if (namespace !== undefined) writer.text(1, namespace)
  writer.text(2, qualifier)
  writer.stop()
}
