// Tested by check-definition.test.ts.
import { show, showName } from '#codec/internal'
import type { Problems } from '../problems.js'

const tableName = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,254}$/
const columnName = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/
const ownNames = ['rk_expires', 'rk_version']
const arrayIndex = /^(0|[1-9][0-9]*)$/

/**
 * `by`: how the name was made. Names are used in the store unchanged, and mostly without escaping. Stores that accept fewer names refuse the
 * others themselves.
 */
export function checkTableName(name: unknown, problems: Problems, by = ''): void {
  if (typeof name === 'string' && tableName.test(name)) return
  problems.add({
    code: 'INVALID_NAME',
    message: `the table cannot be called ${show(name)}${by}. Use 1 to 255 letters, digits, '_', '-', '.' and ':', starting with a letter, a digit or '_'.`,
  })
}

export function checkPhysicalName(column: string, physical: string, problems: Problems): void {
  const named = physical === column ? `column '${showName(column)}'` : `column '${showName(column)}', in the store ${show(physical)},`
  if (ownNames.includes(physical)) {
    problems.add({
      code: 'INVALID_NAME',
      column,
      message: `${named} has a reserved name: rk_expires and rk_version are the columns of ttl and version. Give it another name with { name }.`,
    })
  } else if (!columnName.test(physical)) {
    problems.add({
      code: 'INVALID_NAME',
      column,
      message:
        `${named} has a name that stores do not accept. ` +
        "With { name }, give it 1 to 128 letters, digits, '_', '-', '.' and ':', starting with a letter, a digit or '_'.",
    })
  }
}

/** Rows are plain objects, so a property that JavaScript reorders or treats specially would move or lose a column. */
export function checkPropertyName(column: string, problems: Problems): boolean {
  if (showName(column) !== column) {
    problems.add({
      code: 'INVALID_NAME',
      column,
      message:
        `column '${showName(column)}' has a name that messages cannot show as it is: it has more than 255 characters, or some that are invisible. ` +
        `Rename the property and give the name in the store with { name: '…' }.`,
    })
    return false
  }
  if (arrayIndex.test(column)) {
    problems.add({
      code: 'INVALID_NAME',
      column,
      message:
        `column '${showName(column)}' is an array index, which JavaScript moves to the front of an object. ` +
        `Rename the property and give the name in the store with { name: '…' }.`,
    })
    return false
  }
  if (column in Object.prototype || column === 'prototype') {
    problems.add({
      code: 'INVALID_NAME',
      column,
      message:
        `column '${showName(column)}' is a name that JavaScript treats specially. ` +
        `Rename the property and keep the name in the store with { name: '${column}' }.`,
    })
    return false
  }
  return true
}
