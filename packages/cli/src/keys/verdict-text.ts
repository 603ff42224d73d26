// Tested by decode.test.ts.
import type { Decoder, Verdict } from './decode-key.js'

const notText = 'this is neither hexadecimal digits, escaped text nor base64'

/** What all tables say to a key, as one line of JSON. */
export function jsonOfAll(input: string, found: readonly Verdict[]): string {
  const matches = found.flatMap(({ decoder, row }) =>
    row === undefined ? [] : [`{"table":${JSON.stringify(decoder.schema.name)},"key":{${decoder.json(row)}}}`],
  )
  const rejections = found.flatMap(({ decoder, row, reason }) => (row === undefined ? [{ table: decoder.schema.name, reason }] : []))
  const problem = found.length === 0 ? `,"problem":${JSON.stringify(notText)}` : ''
  return `{"rowkey":1,"input":${JSON.stringify(input)},"matches":[${matches.join(',')}],"rejections":${JSON.stringify(rejections)}${problem}}`
}

/** What the one table says that the caller has named. */
export function jsonOfOne(input: string, verdict: Verdict | undefined, decoder: Decoder | undefined): string {
  const table = `"table":${JSON.stringify(decoder?.schema.name)}`
  if (verdict?.row !== undefined) return `{"rowkey":1,${table},"key":{${verdict.decoder.json(verdict.row)}}}`
  return `{"rowkey":1,${table},"input":${JSON.stringify(input)},"problem":${JSON.stringify(verdict?.reason ?? notText)}}`
}

/** The same as lines for a person, the tables that take the key first. */
export function linesOfAll(found: readonly Verdict[], paint: (text: string, isKey: boolean) => string = (text) => text): readonly string[] {
  if (found.length === 0) return [notText]
  const width = Math.max(...found.map(({ decoder }) => decoder.schema.name.length))
  const name = ({ decoder }: Verdict): string => decoder.schema.name.padEnd(width)
  const [keys, others] = [found.filter(({ row }) => row !== undefined), found.filter(({ row }) => row === undefined)]
  return [
    ...keys.map((verdict) => `${paint(name(verdict), true)}  ${verdict.decoder.line(verdict.row ?? [])}`),
    ...others.map((verdict) => `${paint(name(verdict), false)}  no: ${verdict.reason}`),
  ]
}
