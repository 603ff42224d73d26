import type { Row, Values } from '@rowkey/codec'
import type { Class } from '@rowkey/model'
import { makeCode } from '@rowkey/codec'

/** A column of the object to build. */
export interface ObjectField {
  readonly name: string
  readonly position: number
  readonly nullable: boolean
  readonly values: Values
}

/** Builds an object from a row; undefined where a required column is null, which only the general way can mend or refuse. */
export type BuildObject = (row: Row) => object | undefined

/** Making the code takes as long as some hundred objects save. */
const heat = 256

/**
 * Objects of one set of columns. Assigning columns by name in a loop costs several times as much as the same assignments written out,
 * so they are written out once enough objects were asked for, where the host allows code from text.
 */
export function objectBuilder(fields: readonly ObjectField[], model: Class | undefined): BuildObject {
  let made: BuildObject | undefined
  let left = heat
  return (row) => {
    if (made !== undefined) return made(row)
    if (left > 0 && --left === 0) made = objectCode(fields, model)
    return undefined
  }
}

/** Names of columns go into the text as JSON, everything else is ours. */
function objectCode(fields: readonly ObjectField[], model: Class | undefined): BuildObject | undefined {
  const scope: Record<string, unknown> = { copy, Model: model }
  const locals = fields.map(({ position }, i) => `const v${i}=row[${position}]`)
  const required = fields.flatMap(({ nullable }, i) => (nullable ? [] : [`v${i}==null`]))
  const values = fields.map(({ values: column, nullable }, i) => {
    if (!column.isPlain) scope[`g${i}`] = column.fromValue
    const given = `typeof v${i}==='object'?copy(v${i}):${column.isPlain ? `v${i}` : `g${i}(v${i})`}`
    return nullable ? `v${i}==null?null:${given}` : given
  })
  const build =
    model === undefined
      ? `return {${fields.map(({ name }, i) => `${JSON.stringify(name)}:${values[i]}`).join()}}`
      : `const o=new Model();${fields.map(({ name }, i) => `o[${JSON.stringify(name)}]=${values[i]}`).join(';')};return o`
  const refuse = required.length === 0 ? '' : `if(${required.join('||')})return undefined;`
  return makeCode(scope, `return function(row){${locals.join(';')};${refuse}${build}}`) as BuildObject | undefined
}

/** Bytes in an array of the caller's own. */
const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)
