import type { Issue } from './issues.js'

/** A class whose objects are in a JSON column, where they are plain data. */
type NestedClass = new () => object

/** What one decorator of class-validator declares for a property. */
interface Declared {
  readonly type: string
  readonly propertyName: string
}

/**
 * Plain data of `@ValidateNested()` fields as instances. A row has plain data, but class-validator finds the checks of a nested object by
 * its class. That is the class with which the field is declared, if the compiler emits it.
 */
export class NestedData {
  /** Fields with `@ValidateNested()` whose class is unknown, or has no checks: 'address', 'address.country'. */
  readonly unknown: string[] = []
  private readonly checksOf: (model: NestedClass) => readonly Declared[]
  private readonly fields = new Map<NestedClass, Map<string, NestedClass>>()
  private readonly model: NestedClass

  /** @param isColumn what accessors of the model return is left to the library */
  constructor(model: NestedClass, isColumn: (property: string) => boolean, checksOf: (model: NestedClass) => readonly Declared[]) {
    this.model = model
    this.checksOf = checksOf
    this.find(model, '', isColumn)
  }

  /** The fields of the model that have nested data. */
  get fieldNames(): Iterable<string> {
    return this.fields.get(this.model)?.keys() ?? []
  }

  /**
   * The value of a field of the model. What is not an object is left to the library. `issues`: gets what the library could not check.
   *
   * @param value at most as deep as checks may see
   */
  revived(field: string, value: unknown, issues: Issue[]): unknown {
    return revive({ fields: this.fields, issues }, this.fields.get(this.model)?.get(field), value, [field])
  }

  private find(model: NestedClass, above: string, isData: (property: string) => boolean): void {
    if (this.fields.has(model)) return
    const fields = new Map<string, NestedClass>()
    this.fields.set(model, fields)
    for (const { type, propertyName } of this.checksOf(model)) {
      if (type !== 'nestedValidation' || !isData(propertyName)) continue
      const nested = declaredClass(model, propertyName)
      if (nested === undefined || this.checksOf(nested).length === 0) {
        this.unknown.push(above + propertyName)
      } else {
        fields.set(propertyName, nested)
        this.find(nested, `${above}${propertyName}.`, () => true)
      }
    }
  }
}

interface Reviving {
  readonly fields: ReadonlyMap<NestedClass, ReadonlyMap<string, NestedClass>>
  readonly issues: Issue[]
}

/** The property by which class-validator finds an object's checks. It would believe the data. */
const classOf = 'constructor'

function revive(all: Reviving, model: NestedClass | undefined, value: unknown, path: readonly string[]): unknown {
  if (model === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, index) => revive(all, model, item, [...path, String(index)]))
  if (Object.hasOwn(value, classOf)) {
    all.issues.push({ path: [...path, classOf], message: 'is not allowed: an object is checked by its class, whose name this is' })
    return value
  }
  const fields = all.fields.get(model)
  const entries = Object.entries(value).map(([name, inner]) => [name, revive(all, fields?.get(name), inner, [...path, name])] as const)
  // Not by assignment: a property called __proto__ would change the class.
  return Object.create(model.prototype as object, Object.getOwnPropertyDescriptors(Object.fromEntries(entries)))
}

type GetMetadata = (key: string, target: object, name: string) => unknown

function declaredClass(model: NestedClass, field: string): NestedClass | undefined {
  const { getMetadata } = Reflect as { getMetadata?: GetMetadata }
  const declared = getMetadata?.('design:type', model.prototype as object, field)
  return typeof declared === 'function' ? (declared as NestedClass) : undefined
}
