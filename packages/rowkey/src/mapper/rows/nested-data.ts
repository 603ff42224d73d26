// Tested by packages/rowkey/test/model/decorators/nested-types.test.ts.
import type { Issue } from './issues.js'
import { nestedClass, type ClassTransformer, type NestedClass } from './nested-classes.js'

/** What one decorator of class-validator declares for a property. */
interface Declared {
  readonly type: string
  readonly propertyName: string
}

/**
 * Plain data of `@ValidateNested()` fields as instances. A row has plain data, but class-validator finds the checks of a nested object by
 * its class: see {@link nestedClass}.
 */
export class NestedData {
  /** Fields with `@ValidateNested()` whose class is unknown, or has no checks: 'address', 'address.country'. */
  readonly unknown: string[] = []
  private readonly sources: NestedSources
  private readonly fields = new Map<NestedClass, Map<string, NestedClass>>()
  private readonly model: NestedClass

  constructor(model: NestedClass, sources: NestedSources) {
    this.model = model
    this.sources = sources
    this.find(model, '', sources.isColumn)
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
    const { checksOf, classTransformer } = this.sources
    for (const { type, propertyName } of checksOf(model)) {
      if (type !== 'nestedValidation' || !isData(propertyName)) continue
      const nested = nestedClass(model, propertyName, classTransformer)
      if (nested === undefined || checksOf(nested).length === 0) {
        this.unknown.push(above + propertyName)
      } else {
        fields.set(propertyName, nested)
        this.find(nested, `${above}${propertyName}.`, () => true)
      }
    }
  }
}

/** Where the classes of nested data come from. */
interface NestedSources {
  /** What accessors of the model return is left to the library. */
  readonly isColumn: (property: string) => boolean
  readonly checksOf: (model: NestedClass) => readonly Declared[]
  readonly classTransformer: ClassTransformer | undefined
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
