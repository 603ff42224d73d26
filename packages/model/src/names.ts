import { show } from '@rowkey/codec'
import type { Problems } from './problems.js'

const tableName = /^[A-Za-z][A-Za-z0-9_]{2,47}$/
const columnName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/
const reserved = /^(p|s|rk_.*)$/
const arrayIndex = /^(0|[1-9][0-9]*)$/

/** `by`: what makes the name. Names go to every store as they are, so they must be fit for all of them; nothing is escaped. */
export function checkTableName(name: unknown, problems: Problems, by = ''): void {
  if (typeof name === 'string' && tableName.test(name)) return
  problems.add(
    'INVALID_NAME',
    undefined,
    `the table cannot be called ${show(name)}${by}. Take 3 to 48 letters, digits and underscores, the first a letter.`,
  )
}

export function checkPhysicalName(column: string, physical: string, problems: Problems): void {
  const named = physical === column ? `column '${column}'` : `column '${column}', in the store ${show(physical)},`
  if (reserved.test(physical)) {
    problems.add('INVALID_NAME', column, `${named} has a reserved name: p, s and rk_… belong to the stores. Give another with { name }.`)
  } else if (!columnName.test(physical)) {
    problems.add(
      'INVALID_NAME',
      column,
      `${named} has a name that not every store takes. ` +
        'Give one of 1 to 128 letters, digits and underscores, the first no digit, with { name }.',
    )
  }
}

/** Rows are plain objects: a property that JavaScript reorders or treats specially would lose or move a column. */
export function checkPropertyName(column: string, problems: Problems): boolean {
  if (arrayIndex.test(column)) {
    problems.add(
      'INVALID_NAME',
      column,
      `column '${column}' is an array index, which JavaScript moves to the front of an object. ` +
        `Name the property otherwise and give { name: '…' }.`,
    )
    return false
  }
  if (column in Object.prototype || column === 'prototype') {
    problems.add(
      'INVALID_NAME',
      column,
      `column '${column}' is a name that JavaScript treats specially. ` + `Name the property otherwise and give { name: '${column}' }.`,
    )
    return false
  }
  return true
}
