// Tested by decode.test.ts.
import type { Decoder, Target, Verdict } from './decode-key.js'
import { notText, type Reading } from './key-forms.js'

/** Why a text could not be read. */
const faultIn = (reading: Reading): string => ('fault' in reading ? reading.fault : notText)

/** What is said to a key, as one line of JSON. */
export const jsonOf = (target: Target, input: string, reading: Reading, found: readonly Verdict[]): string =>
  'one' in target ? jsonOfOne(input, reading, found[0], target.one) : jsonOfAll(input, reading, found)

/** What all tables say. */
function jsonOfAll(input: string, reading: Reading, found: readonly Verdict[]): string {
  const matches = found.flatMap(({ decoder, row }) =>
    row === undefined ? [] : [`{"table":${JSON.stringify(decoder.schema.name)},"key":{${decoder.json(row)}}}`],
  )
  const rejections = found.flatMap(({ decoder, row, reason }) => (row === undefined ? [{ table: decoder.schema.name, reason }] : []))
  const problem = found.length === 0 ? `,"problem":${JSON.stringify(faultIn(reading))}` : ''
  return `{"rowkey":1,"input":${JSON.stringify(input)},"matches":[${matches.join(',')}],"rejections":${JSON.stringify(rejections)}${problem}}`
}

/** What the one table says that the caller has named. */
function jsonOfOne(input: string, reading: Reading, verdict: Verdict | undefined, { schema }: Decoder): string {
  const table = `"table":${JSON.stringify(schema.name)}`
  if (verdict?.row !== undefined) return `{"rowkey":1,${table},"key":{${verdict.decoder.json(verdict.row)}}}`
  return `{"rowkey":1,${table},"input":${JSON.stringify(input)},"problem":${JSON.stringify(verdict?.reason ?? faultIn(reading))}}`
}

/** The key as each table that takes it has it, a line each, with the table's name if it could be another. */
export const keyLines = (target: Target, found: readonly Verdict[]): readonly string[] =>
  found.flatMap(({ decoder, row }) =>
    row === undefined ? [] : [`${'one' in target ? '' : `${decoder.schema.name}  `}${decoder.line(row)}`],
  )

/** The same as lines for a person, the tables that take the key first. */
export function linesOfAll(
  reading: Reading,
  found: readonly Verdict[],
  paint: (text: string, isKey: boolean) => string = (text) => text,
): readonly string[] {
  if (found.length === 0) return [faultIn(reading)]
  const width = Math.max(...found.map(({ decoder }) => decoder.schema.name.length))
  const name = ({ decoder }: Verdict): string => decoder.schema.name.padEnd(width)
  const [keys, others] = [found.filter(({ row }) => row !== undefined), found.filter(({ row }) => row === undefined)]
  return [
    ...keys.map((verdict) => `${paint(name(verdict), true)}  ${verdict.decoder.line(verdict.row ?? [])}`),
    ...others.map((verdict) => `${paint(name(verdict), false)}  no: ${verdict.reason}`),
  ]
}
