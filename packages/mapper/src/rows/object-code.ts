import type { Row } from '@rowkey/codec'
import type { Values } from '@rowkey/codec/internal'
import type { ModelClass } from '@rowkey/model'
import { makeCode } from '@rowkey/codec/internal'

/** A column of the object to build. */
export interface ObjectField {
  readonly name: string
  readonly position: number
  readonly nullable: boolean
  readonly values: Values
}

/** Builds an object from a row; undefined if a required column is null, which only the general way can fill or refuse. */
export type BuildObject = (row: Row) => object | undefined

/** Compiling costs about as much time as this many compiled calls save. */
const compileAfter = 256

/**
 * Objects of one set of columns. Assigning columns by name in a loop costs several times as much as the same assignments written out,
 * so code for them is generated once enough objects were requested, if the host allows code from text.
 */
export function objectBuilder(fields: readonly ObjectField[], model: ModelClass | undefined): BuildObject {
  let compiled: BuildObject | undefined
  let left = compileAfter
  return (row) => {
    if (compiled !== undefined) return compiled(row)
    if (left > 0 && --left === 0) compiled = compileObject(fields, model)
    return undefined
  }
}

/** What an object has under these names, in an array of exactly that length. */
export type ReadObject = (object: Readonly<Record<string, unknown>>) => unknown[]

/** The other direction, compiled for the same reason. @param names undefined: a place for something else, with null in it */
export function objectReader(names: readonly (string | undefined)[]): ReadObject {
  let left = compileAfter
  let read: ReadObject = (object) => {
    if (left > 0 && --left === 0) read = compileReader(names) ?? read
    return names.map((name) => (name === undefined ? null : object[name]))
  }
  return (object) => read(object)
}

function compileReader(names: readonly (string | undefined)[]): ReadObject | undefined {
  const values = names.map((name) => (name === undefined ? 'null' : `o[${JSON.stringify(name)}]`))
  return makeCode({}, `return function(o){return [${values.join()}]}`) as ReadObject | undefined
}

/** Names of columns go into the code as JSON strings; everything else in it is our own text. */
function compileObject(fields: readonly ObjectField[], model: ModelClass | undefined): BuildObject | undefined {
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

/** A copy of the bytes, which belongs to the caller. */
const copy = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)
