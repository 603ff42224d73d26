/** A class whose objects are in a JSON column, where they are plain data. */
export type NestedClass = new () => object

/** What the mapper uses of the module `class-transformer`. */
export interface ClassTransformer {
  plainToInstance(model: new () => object, plain: object, options?: { ignoreDecorators?: boolean }): object
}

type GetMetadata = (key: string, target: object, name: string) => unknown

/**
 * The class of the data in a field: that of `@Type`, or the one with which the field is declared, if the compiler emits it; for lists and
 * for fields that may be null it emits none. undefined if it is unknown, or if each object has a class of its own (`discriminator`).
 */
export function nestedClass(model: NestedClass, field: string, library: ClassTransformer | undefined): NestedClass | undefined {
  const transformed = library === undefined ? 'none' : transformedClass(model, field, library)
  if (transformed !== 'none') return transformed === 'several' ? undefined : transformed
  const { getMetadata } = Reflect as { getMetadata?: GetMetadata }
  const declared = getMetadata?.('design:type', model.prototype as object, field)
  return typeof declared === 'function' ? (declared as NestedClass) : undefined
}

/** What libraries read of every object, whatever is in it. */
const ofEvery: readonly PropertyKey[] = ['then', 'constructor']

/**
 * What class-transformer makes of an object in a field. Where `@Type` keeps its class is known to that library alone, so it is shown an object
 * without properties, in a row that has only this one: whoever asks what else is there, a discriminator or a function, chooses the class by that.
 */
function transformedClass(model: NestedClass, field: string, { plainToInstance }: ClassTransformer): NestedClass | 'none' | 'several' {
  let isAsked = false
  const watched = (target: object): object =>
    new Proxy(target, {
      has: (_, name) => Object.hasOwn(target, name) || ((isAsked = true), false),
      get(_, name) {
        isAsked ||= typeof name === 'string' && !Object.hasOwn(target, name) && !ofEvery.includes(name)
        return Reflect.get(target, name) as unknown
      },
    })
  const row = watched({ [field]: watched({}) })
  let made: unknown
  try {
    made = (plainToInstance(model, row, { ignoreDecorators: true }) as Readonly<Record<string, unknown>>)[field]
  } catch {
    return 'none' // a constructor, or a @Transform, which takes other data
  }
  if (isAsked) return 'several'
  const prototype: unknown = typeof made === 'object' && made !== null ? Object.getPrototypeOf(made) : undefined
  const maker: unknown = (prototype as { readonly constructor?: unknown } | undefined)?.constructor
  return typeof maker !== 'function' || maker === Object ? 'none' : (maker as NestedClass)
}
