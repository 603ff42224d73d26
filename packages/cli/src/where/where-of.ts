import { type SchemaColumn, sentenceOf, showName, showNames, typeFacts } from 'rowkey/internal'
import type { TableSchema } from 'rowkey'
import { isRowkeyError } from 'rowkey/codec'
import { Failure } from '../failure.js'
import { plainValue } from '../values/value-from-text.js'
import { pointed, tokensOf, type Token } from './tokens.js'

/** Conditions as `scan()` takes them. */
export type Where = Record<string, unknown>

/** The operators of a predicate by their signs. */
const operators: Readonly<Record<string, string>> = { '=': '=', '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' }
/** What other languages have, and what to write here. */
const foreign: Readonly<Record<string, string>> = {
  '==': 'Write one =.',
  '!=': 'rowkey has no "not equal": filter in code, or scan the ranges on both sides.',
  '<>': 'rowkey has no "not equal": filter in code, or scan the ranges on both sides.',
}

/**
 * The predicate that a text of conditions means: `=`, `>`, `>=`, `<`, `<=`, `in (…)`, `between … and …`, `starts with`, `like 'x%'`, `is null`,
 * `is not null`, joined by `and`. Values are converted by the types of their columns. Empty text has no conditions.
 *
 * @throws Failure that points at the place
 * @example
 * ```ts
 * whereOf(schema, "host = web-1 and at >= 2026-01-01") // { host: 'web-1', at: { gte: Date } }
 * ```
 */
export function whereOf(schema: TableSchema, source: string): Where {
  const parser = new Parser(schema, source)
  return parser.conditions()
}

class Parser {
  private readonly schema: TableSchema
  private readonly source: string
  private readonly tokens: readonly Token[]
  private at = 0
  private readonly byColumn = new Map<string, Record<string, unknown>>()

  constructor(schema: TableSchema, source: string) {
    this.schema = schema
    this.source = source
    this.tokens = tokensOf(source)
  }

  conditions(): Where {
    if (this.isOver()) return {}
    this.condition()
    while (!this.isOver()) {
      if (this.isWord('or')) throw this.wrong('rowkey has no OR: write in (a, b), or run two queries.')
      if (!this.takesWord('and')) throw this.wrong('here "and" or the end must follow.')
      this.condition()
    }
    return Object.fromEntries([...this.byColumn].map(([name, set]) => [name, '=' in set ? set['='] : set]))
  }

  private condition(): void {
    if (this.isWord('not')) throw this.wrong('rowkey has no NOT: filter in code. Only "is not null" exists.')
    if (this.next.text === '(') throw this.wrong('rowkey has no parentheses around conditions: all of them must hold.')
    const name = this.take()
    const column = this.columnOf(name)
    const operator = this.take()
    const word = operator.kind === 'word' ? operator.text.toLowerCase() : undefined // in quotes it is no operator
    const wrong = operator.kind === 'sign' ? foreign[operator.text] : undefined
    if (wrong !== undefined) throw pointed(this.source, operator.from, wrong)
    const sign = operator.kind === 'sign' ? operators[operator.text] : undefined
    if (sign !== undefined) this.add(column, name, sign, this.value(column))
    else if (word === 'in') this.add(column, name, 'in', this.list(column))
    else if (word === 'between') this.between(column, name)
    else if (word === 'like') this.add(column, name, 'startsWith', this.pattern(column))
    else if (word === 'is') this.isNull(column, name)
    else if (word === 'starts' || word === 'startswith') {
      if (word === 'starts' && !this.takesWord('with')) throw this.wrong('here "with" must follow.')
      this.add(column, name, 'startsWith', this.prefix(column))
    } else {
      const known = '=, >, >=, <, <=, in, between, starts with, like or is null'
      throw pointed(this.source, operator.from, `here an operator must follow: ${known}.`)
    }
  }

  private columnOf(token: Token): SchemaColumn {
    const columns = this.schema.columns.filter((_, at) => at !== this.schema.expiryIndex)
    const names = showNames(columns.map(({ name }) => name))
    if (token.kind !== 'word' && token.kind !== 'text') throw pointed(this.source, token.from, `here a column must follow: ${names}.`)
    const column = columns.find(({ name }) => name === token.text)
    if (column !== undefined) return column
    throw pointed(this.source, token.from, `'${this.schema.name}' has no column '${showName(token.text)}'. It has ${names}.`)
  }

  private value(column: SchemaColumn): unknown {
    const token = this.take()
    if (token.kind !== 'word' && token.kind !== 'text')
      throw pointed(this.source, token.from, `here a value of '${column.name}' must follow.`)
    if (token.kind === 'word' && token.text.toLowerCase() === 'null')
      throw pointed(this.source, token.from, 'write "is null" or "is not null".')
    return this.converted(column, token, token.text)
  }

  private converted(column: SchemaColumn, { from }: Token, text: string): unknown {
    try {
      return plainValue(column, text)
    } catch (error) {
      if (!(error instanceof Failure) && !isRowkeyError(error)) throw error
      throw pointed(this.source, from, isRowkeyError(error) ? sentenceOf(error) : error.message)
    }
  }

  private list(column: SchemaColumn): readonly unknown[] {
    if (!this.takesSign('(')) throw this.wrong('here a list must follow, such as (a, b).')
    const list = [this.value(column)]
    while (this.takesSign(',')) list.push(this.value(column))
    if (!this.takesSign(')')) throw this.wrong('here "," or ")" must follow.')
    return list
  }

  private between(column: SchemaColumn, name: Token): void {
    this.add(column, name, 'gte', this.value(column))
    if (!this.takesWord('and')) throw this.wrong('here "and" and the last value must follow.')
    this.add(column, name, 'lte', this.value(column))
  }

  private prefix(column: SchemaColumn): string {
    const token = this.take()
    if (token.kind !== 'word' && token.kind !== 'text') throw pointed(this.source, token.from, 'here the first characters must follow.')
    return this.prefixOf(column, token, token.text)
  }

  private pattern(column: SchemaColumn): string {
    const token = this.take()
    if (token.kind !== 'word' && token.kind !== 'text')
      throw pointed(this.source, token.from, "here a pattern must follow, such as 'web%'.")
    const isPrefix = /^[^%_]*%$/.test(token.text)
    if (!isPrefix)
      throw pointed(
        this.source,
        token.from,
        "only patterns of the form 'web%' exist: one % at the end, and no _. For others, filter in code.",
      )
    return this.prefixOf(column, token, token.text.slice(0, -1))
  }

  private prefixOf({ name, type }: SchemaColumn, { from }: Token, text: string): string {
    if (typeFacts(type).startsWith) return text
    throw pointed(this.source, from, `'${name}' is ${type.kind}, and only text has a beginning to compare. Use a range.`)
  }

  private isNull(column: SchemaColumn, name: Token): void {
    const isNot = this.takesWord('not')
    if (!this.takesWord('null')) throw this.wrong('here "null" must follow.')
    if (!column.type.nullable) throw pointed(this.source, name.from, `'${column.name}' is never null. Leave the condition out.`)
    this.add(column, name, 'isNull', !isNot)
  }

  private add({ name }: SchemaColumn, { from }: Token, operator: string, operand: unknown): void {
    const set = this.byColumn.get(name) ?? {}
    const isTwice = operator in set || '=' in set || (operator === '=' && Object.keys(set).length > 0)
    if (isTwice) throw pointed(this.source, from, `'${name}' has a condition already that this one repeats. Write one of them.`)
    set[operator] = operand
    this.byColumn.set(name, set)
  }

  private isOver(): boolean {
    return this.next.kind === 'end'
  }

  private get next(): Token {
    return this.tokens[this.at] as Token
  }

  private take(): Token {
    const token = this.next
    if (token.kind !== 'end') this.at++
    return token
  }

  private isWord(word: string): boolean {
    return this.next.kind === 'word' && this.next.text.toLowerCase() === word
  }

  private takesWord(word: string): boolean {
    const isIt = this.isWord(word)
    if (isIt) this.at++
    return isIt
  }

  private takesSign(sign: string): boolean {
    const isIt = this.next.kind === 'sign' && this.next.text === sign
    if (isIt) this.at++
    return isIt
  }

  private wrong(why: string): Failure {
    return pointed(this.source, this.next.from, why)
  }
}

/**
 * The order that a text means: `at desc, id` of columns with their directions, ascending by default. Undefined for empty text.
 *
 * @throws Failure
 */
export function orderOf(schema: TableSchema, source: string): Readonly<Record<string, 'asc' | 'desc'>> {
  const order: Record<string, 'asc' | 'desc'> = {}
  let from = 0
  for (const part of source.split(',')) {
    const [, space = '', name = '', direction = 'asc'] = /^(\s*)(\S+)(?:\s+(asc|desc))?\s*$/i.exec(part) ?? []
    if (name === '') throw pointed(source, from, 'here a column with asc or desc must follow, such as "at desc".')
    if (!schema.columns.some((column) => column.name === name)) {
      throw pointed(source, from + space.length, `'${schema.name}' has no column '${showName(name)}'.`)
    }
    order[name] = direction.toLowerCase() as 'asc' | 'desc'
    from += part.length + 1
  }
  return order
}
