// Tested by problems.test.ts.
import type { Salt, TypeData, TypeWrapper } from '#codec'
import { show, showName } from '#codec/internal'
import { Problems } from '../problems.js'
import { metadataKey } from './symbol-metadata.js'
import type { TableOptions } from './decorator-types.js'

/** A class, at run time. */
export type Constructor = abstract new (...args: never) => object

/** What a field decorator recorded. */
export interface FieldRecord {
  readonly name: string
  readonly role: 'partition' | 'key' | 'value' | 'version'
  readonly ordinal?: number
  /** What the decorator was given: a type, or desc() or nullable() around the type that is inferred. */
  readonly type: TypeData | TypeWrapper | undefined
  /** Whether it was given anything: undefined can also be a mistake. */
  readonly hasType: boolean
  /** Whether it is a standard decorator, to which compilers pass no metadata. */
  readonly isStandard: boolean
  /** What it decorates, if that cannot be a column. */
  readonly refused?: string
}

/** What a decorator stands on. */
export type Decorated = Pick<FieldRecord, 'name' | 'isStandard' | 'refused'>

/** What `@Check` recorded for a field: Standard Schemas and decorators of class-validator. */
interface CheckRecord {
  readonly name: string
  readonly checks: readonly unknown[]
  readonly refused?: string
}

/** What the decorators of one class recorded, in the order of the source. Its parents have their own. */
export interface ClassRecord {
  readonly fields: FieldRecord[]
  readonly tables: { readonly name: string; readonly options: TableOptions }[]
  readonly salts: Salt[]
  readonly ttls: unknown[]
  readonly indexes: (readonly [name: string, definition: unknown])[]
  readonly checks: CheckRecord[]
  /** Whether the decorators of class-validator among `checks` have been applied to the class. */
  applied: boolean
}

type Metadata = Record<PropertyKey, unknown>
/** The second argument of standard decorators; legacy ones get a name, or nothing. */
interface Context {
  readonly kind: string
  readonly name: string | symbol | undefined
  readonly static?: boolean
  readonly private?: boolean
  readonly metadata: Metadata | undefined
}

/** Registered, so that two loaded copies of the package read each other's classes. */
const slot = Symbol.for('rowkey.record')

const isPrototype = (given: unknown): given is object => (typeof given === 'object' && given !== null) || typeof given === 'function'
/** TypeScript and SWC pass no descriptor for a field, Babel one with `initializer`; that of a method or accessor has none. */
const isField = (descriptor: unknown): boolean =>
  descriptor === undefined || (typeof descriptor === 'object' && descriptor !== null && 'initializer' in descriptor)
const isName = (given: unknown): given is string | symbol => typeof given === 'string' || typeof given === 'symbol'
const isContext = (given: unknown): given is Context => typeof given === 'object' && given !== null && 'kind' in given

/** Works in both modes: the arguments show which one it is. */
export function recordField(
  target: unknown,
  nameOrContext: unknown,
  descriptor: unknown,
  add: (record: ClassRecord, on: Decorated) => void,
): void {
  if (isContext(nameOrContext)) {
    const refused = refusedContext(nameOrContext)
    add(recordOf(metadataOf(nameOrContext)), { name: String(nameOrContext.name), isStandard: true, ...(refused && { refused }) })
    return
  }
  if (!isPrototype(target) || !isName(nameOrContext)) {
    const message =
      `a field decorator was called on ${show(target)} with ${show(nameOrContext)}, which is neither a standard nor a legacy decorator call. ` +
      'Write it with parentheses, as in @Column(text()), and compile for standard or legacy decorators.'
    throw wrongMode(isName(nameOrContext) ? nameOrContext : undefined, message)
  }
  const isStatic = typeof target === 'function'
  const owner = (isStatic ? target : target.constructor) as Constructor
  const refused = isStatic ? 'a static field' : isField(descriptor) ? symbolName(nameOrContext) : 'a method or accessor'
  add(recordOf(ownMetadata(owner)), { name: String(nameOrContext), isStandard: false, ...(refused && { refused }) })
}

/** Class decorators run from the last to the first, so each adds its record at the start. */
export function recordClass(target: Constructor, context: unknown, change: (record: ClassRecord) => void): void {
  change(recordOf(isContext(context) ? metadataOf(context) : ownMetadata(target)))
}

/** The record of this class, not of its parents. */
export function ownRecord(target: Constructor): ClassRecord | undefined {
  if (!Object.hasOwn(target, metadataKey)) return undefined
  const metadata = (target as unknown as Metadata)[metadataKey] as Metadata
  return Object.hasOwn(metadata, slot) ? (metadata[slot] as ClassRecord) : undefined
}

function recordOf(metadata: Metadata): ClassRecord {
  if (!Object.hasOwn(metadata, slot)) {
    const none: ClassRecord = { fields: [], tables: [], salts: [], ttls: [], indexes: [], checks: [], applied: false }
    Object.defineProperty(metadata, slot, { value: none })
  }
  return metadata[slot] as ClassRecord
}

/** Legacy mode: the metadata object that a standard class would have, its prototype the parent's. */
function ownMetadata(target: Constructor): Metadata {
  if (!Object.hasOwn(target, metadataKey)) {
    const parent = (target as unknown as Metadata)[metadataKey] as Metadata | undefined
    Object.defineProperty(target, metadataKey, { value: Object.create(parent ?? null), configurable: true, writable: true })
  }
  return (target as unknown as Metadata)[metadataKey] as Metadata
}

function metadataOf({ metadata, name }: Context): Metadata {
  if (typeof metadata === 'object' && metadata !== null) return metadata
  throw wrongMode(
    name,
    `the compiler provided no decorator metadata for '${showName(name)}'. ` +
      'Import rowkey before the model is evaluated, and compile for ES2022 with decorator metadata.',
  )
}

/** There is no class yet that could record the problem, so it is thrown while the class is evaluated. */
function wrongMode(name: string | symbol | undefined, message: string): Error {
  const problems = new Problems()
  problems.add({ code: 'DECORATOR_MODE', column: name === undefined ? undefined : String(name), message })
  return problems.error(undefined)
}

function refusedContext(context: Context): string | undefined {
  if (context.kind !== 'field') return `a ${showName(context.kind)}`
  if (context.static === true) return 'a static field'
  if (context.private === true) return 'a private field'
  return symbolName(context.name)
}

const symbolName = (name: unknown): string | undefined => (typeof name === 'string' ? undefined : 'a field named by a symbol')
