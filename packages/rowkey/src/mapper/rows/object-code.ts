import type { Row, Value } from '#codec'
import type { ModelClass } from '#model'
import { makeCode } from '#codec/internal'

/** A column of the object to build. */
export interface ObjectField {
  readonly name: string
  readonly position: number
  readonly nullable: boolean
  /** What the application sees in place of a value; undefined: the value itself. */
  readonly shown: ((value: Value) => unknown) | undefined
}

type BuildObject = (row: Row) => object

/** Compiling costs about as much time as this many compiled calls save. */
const compileAfter = 256

/**
 * Objects of one set of columns. Assigning columns by name in a loop costs several times as much as the same assignments written out,
 * so code for them is generated once enough objects were requested, if the host allows code from text.
 *
 * @param general also for a row in which a required column is null: it fills or refuses that
 */
export function objectBuilder(fields: readonly ObjectField[], model: ModelClass | undefined, general: BuildObject): BuildObject {
  let compiled: ((row: Row) => object | undefined) | undefined
  let left = compileAfter
  return (row) => {
    if (compiled !== undefined) return compiled(row) ?? general(row)
    if (left > 0 && --left === 0) compiled = compileObject(fields, model)
    return general(row)
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
function compileObject(fields: readonly ObjectField[], model: ModelClass | undefined): ((row: Row) => object | undefined) | undefined {
  const scope: Record<string, unknown> = { Model: model }
  const locals = fields.map(({ position }, i) => `const v${i}=row[${position}]`)
  const required = fields.flatMap(({ nullable }, i) => (nullable ? [] : [`v${i}==null`]))
  const values = fields.map(({ shown, nullable }, i) => {
    if (shown !== undefined) scope[`g${i}`] = shown
    const given = shown === undefined ? `v${i}` : `g${i}(v${i})`
    return nullable ? `v${i}==null?null:${given}` : given
  })
  const build =
    model === undefined
      ? `return {${fields.map(({ name }, i) => `${JSON.stringify(name)}:${values[i]}`).join()}}`
      : `const o=new Model();${fields.map(({ name }, i) => `o[${JSON.stringify(name)}]=${values[i]}`).join(';')};return o`
  const refuse = required.length === 0 ? '' : `if(${required.join('||')})return undefined;`
  return makeCode(scope, `return function(row){${locals.join(';')};${refuse}${build}}`) as ReturnType<typeof compileObject>
}
