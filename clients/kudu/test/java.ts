import { fileURLToPath } from 'node:url'
import { startProgram, type JavaProgram } from '../../../test/kit/java-program.js'
import { kudu, type KuduConnection } from '../../../test/servers/src/index.js'
import type { Column, Predicate, Row, RowValues, TableDefinition, Value } from '../src/requests.js'

export type { JavaProgram } from '../../../test/kit/java-program.js'

const source = fileURLToPath(new URL('java/Program.java', import.meta.url))

/** Kudu's own client: see java/Program.java for what it can do. */
export const startJava = ({ masters }: KuduConnection): JavaProgram => startProgram(kudu.java, source, masters.join(','))

/** A cell in the words of the program. */
function cellWord({ type }: Column, value: Value | null): string {
  if (value === null) return '~'
  if (typeof value === 'string') return `x${Buffer.from(value).toString('hex')}`
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`
  if (type === 'FLOAT') return String(new Uint32Array(Float32Array.of(value as number).buffer)[0])
  if (type === 'DOUBLE') return String(new BigUint64Array(Float64Array.of(value as number).buffer)[0])
  return typeof value === 'boolean' ? String(Number(value)) : String(value)
}

/** A cell that the program says. */
export function cellOfWord({ type }: Column, word: string): Value | null {
  if (word === '~') return null
  switch (type) {
    case 'STRING':
    case 'VARCHAR':
      return Buffer.from(word.slice(1), 'hex').toString()
    case 'BINARY':
      return Buffer.from(word.slice(1), 'hex')
    case 'INT64':
    case 'UNIXTIME_MICROS':
    case 'DECIMAL':
      return BigInt(word)
    case 'BOOL':
      return word === '1'
    case 'FLOAT':
      return new Float32Array(Uint32Array.of(Number(word)).buffer)[0] as number
    case 'DOUBLE':
      return new Float64Array(BigUint64Array.of(BigInt(word)).buffer)[0] as number
    default:
      return Number(word)
  }
}

export const rowWord = (columns: readonly Column[], row: RowValues): string =>
  row.map((value, position) => (value === undefined ? '' : cellWord(columns[position] as Column, value))).join(',')

/** Predicates in the words of the program, which has one comparison in each. */
export function predicateWords(columns: readonly Column[], predicate: Predicate): string[] {
  const position = columns.findIndex(({ name }) => name === predicate.column)
  const word = (operator: string, values: readonly Value[] = []): string =>
    `${position}:${operator}:${values.map((value) => cellWord(columns[position] as Column, value)).join(',')}`
  if ('isNull' in predicate) return [word(predicate.isNull ? 'null' : 'notNull')]
  if ('equals' in predicate) return [word('eq', [predicate.equals])]
  if ('in' in predicate) return [word('in', predicate.in)]
  const { from, to } = predicate
  return [...(from === undefined ? [] : [word('ge', [from])]), ...(to === undefined ? [] : [word('lt', [to])])]
}

/** A table in the words of the program. */
export function tableWords({ name, columns, hash = [], range = [], ranges = [] }: TableDefinition): string[] {
  const positions = (names: readonly string[]): string =>
    names.length === 0 ? '-' : names.map((each) => columns.findIndex((column) => column.name === each)).join(',')
  const hashWord = (levels: NonNullable<TableDefinition['hash']>): string =>
    levels.map((level) => `${positions(level.columns)}:${level.buckets}:${level.seed ?? 0}`).join(';')
  const boundWord = (row: Row = {}): string =>
    range
      .filter((each) => row[each] !== undefined)
      .map((each) => cellWord(columns.find((column) => column.name === each) as Column, row[each] as Value))
      .join(',')
  const columnWords = columns.map(({ name: column, type, precision = 0, scale = 0, length = 0, isKey, isNullable }) =>
    [column, type, precision, scale, length, isKey ? 'k' : isNullable === true ? 'n' : 'v'].join(':'),
  )
  const bounds = ranges.map(
    (each) => `${boundWord(each.from)}..${boundWord(each.to)}${each.hash === undefined ? '' : `@${hashWord(each.hash)}`}`,
  )
  return [
    name,
    columnWords.join(';'),
    hash.length === 0 ? '-' : hashWord(hash),
    positions(range),
    bounds.length === 0 ? '-' : bounds.join('|'),
  ]
}
