import { Column, nullable, Table, text, type ModelClass } from 'rowkey'
import { InputError } from './arguments.js'
import type { EventRow } from './fine-models.js'

const maxColumns = 250 // of a table
const declared = new Set(['host', 'event', 'at', 'seq', 'message'])

/**
 * A model with more text columns, for the columns of a file that nobody has seen before. Decorators are functions: what a class
 * body does with `@` can be done in a loop.
 */
export function withTextColumns(model: ModelClass<EventRow>, names: readonly string[]): ModelClass<EventRow> {
  const more = names.filter((name) => !declared.has(name))
  if (more.length > maxColumns - declared.size) {
    throw new InputError(
      `The file has ${more.length} columns of text beside 'message'; a table has room for ${maxColumns - declared.size} of them.`,
    )
  }
  if (more.length === 0) return model
  class WideLogEvent extends model {}
  const textColumn = Column(nullable(text())) as (target: object, name: string) => void
  for (const name of more) textColumn(WideLogEvent.prototype, name)
  Table('log_events')(WideLogEvent)
  return WideLogEvent
}

/**
 * Column names for the headers of a file: other characters become `_`, and a name that is taken, reserved or special gets a
 * number behind it.
 */
export function columnNames(headers: readonly string[]): readonly string[] {
  const taken = new Set([...declared, 'prototype'])
  return headers.map((header) => {
    if (header === 'message') return header
    const base = header
      .replace(/\W/g, '_')
      .replace(/^(?=\d|$|rk_|__)/, 'c_')
      .slice(0, 100)
    let name = base
    for (let n = 2; taken.has(name) || name in Object.prototype; n++) name = `${base}_${n}`
    taken.add(name)
    return name
  })
}
