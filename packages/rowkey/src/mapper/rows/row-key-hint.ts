import { isRowkeyError } from '#codec'
import { reworded, showName } from '#codec/internal'
import { rowKeyText, seesFields, type ModelClass, type TableSchema } from '#model'

interface ModelOfRows {
  readonly schema: TableSchema
  readonly model: ModelClass | undefined
}

/** What the compiler would have found if it knew the key of a class, which decorators cannot tell it. */
const foundByCompiler: ReadonlySet<string> = new Set(['PARTITION_REQUIRED', 'FULL_SCAN_REFUSED'])

/** The same error; if the model is a class, with the declaration that lets the compiler find it. */
export function withRowKeyHint(rows: ModelOfRows, error: unknown): unknown {
  if (!isRowkeyError(error) || !foundByCompiler.has(error.code)) return error
  return reworded(error, { after: rowKeyHint(rows) })
}

/** A sentence for the end of a message; empty if the model is not a class. */
export function rowKeyHint({ schema, model }: ModelOfRows): string {
  const declaration = model === undefined ? undefined : rowKeyText(schema)
  if (declaration === undefined) return ''
  const more = seesFields(schema) ? '' : ` If the class has fields that are not columns, name them too, as in other: 'note' | 'cached'.`
  return ` The compiler only finds this in a class that declares its key: ${declaration}.${more}`
}

/** A sentence about a property that the program does not know, where a field of the class may be hidden; empty elsewhere. */
export function hiddenFieldHint({ schema, model }: ModelOfRows, name: string): string {
  if (model === undefined || seesFields(schema)) return ''
  return (
    ` If '${showName(name)}' is a field of the class that is not stored, give it an initial value, such as undefined, or compile with ` +
    'useDefineForClassFields: true: until then it does not exist at run time.'
  )
}
