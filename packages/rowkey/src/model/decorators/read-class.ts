// Tested by problems.test.ts and class-decorators.test.ts.
import type { TypeData } from '#codec'
import { show, showName } from '#codec/internal'
import { namesOf, type Definition, type GivenIndex } from '../definition/definition.js'
import { givenIndex } from '../definition/index-definition.js'
import { described, isObject, refuseOptions, type Problems } from '../problems.js'
import { ttlOf } from '../definition/duration.js'
import { fieldChecks } from './apply-checks.js'
import { checkDesignType } from './design-type.js'
import { columnTypeOf } from './infer-type.js'
import { inOrder } from './ordinals.js'
import { ownRecord, type ClassRecord, type Constructor, type FieldRecord } from './record.js'

interface Declared {
  readonly by: Constructor
  readonly record: ClassRecord
}

/** A field whose column has a type, given or inferred. */
interface ColumnField extends FieldRecord {
  readonly type: TypeData
}

/** What the decorators of a class and its parents declare together. Contradictions are added to `problems`. */
export function readClass(model: Constructor, problems: Problems): Definition {
  const chain = recordsOf(model)
  const fields = fieldsOf(chain, problems)
  const key = inOrder(fields, problems)
  const table = tableOf(model, problems)
  const ttl = ttlIn(chain, problems)
  const named = (role: FieldRecord['role']): string[] => key.filter((field) => field.role === role).map(({ name }) => name)
  return {
    name: table.name,
    columns: fields.flatMap(({ name, role, type }) => (role === 'version' ? [] : [[name, type] as const])),
    partition: named('partition'),
    key: named('key'),
    salt: chain.findLast(({ record }) => record.salts.length > 0)?.record.salts ?? [],
    writes: table.options.writes ?? 'conditional',
    stores: table.options.stores ?? {},
    retired: namesOf('retired', table.options.retired, problems),
    indexes: indexesIn(chain, problems),
    expires: ttl !== undefined,
    ttl: ttlOf(ttl, problems),
    version: versionOf(fields, problems),
    checks: { row: table.options.check, ...fieldChecks(chain, problems) },
  }
}

/** Base first. */
function recordsOf(model: Constructor): readonly Declared[] {
  const chain: Declared[] = []
  for (let by: unknown = model; typeof by === 'function'; by = Object.getPrototypeOf(by)) {
    const record = ownRecord(by as Constructor)
    if (record !== undefined) chain.unshift({ by: by as Constructor, record })
  }
  return chain
}

function tableOf(model: Constructor, problems: Problems): ClassRecord['tables'][number] {
  const [table, second] = ownRecord(model)?.tables ?? []
  if (second !== undefined) problems.add({ code: 'REPEATED_TABLE', message: `${described(model)} has @Table twice. Keep one.` })
  if (table !== undefined) {
    if (isObject(table.options)) refuseOptions(table.options, ['writes', 'stores', 'check', 'retired'], problems)
    else
      problems.add({
        code: 'INVALID_OPTION',
        message: `the options of @Table are ${show(table.options)}. Give an object with writes, stores, check or retired.`,
      })
    return { name: table.name, options: isObject(table.options) ? table.options : {} }
  }
  problems.add({
    code: 'NOT_A_TABLE',
    message: `${described(model)} has no @Table of its own. Put @Table('name') on it. A subclass does not inherit the table of its parent.`,
  })
  throw problems.error(model)
}

/** The ttl of the last class that has one. */
function ttlIn(chain: readonly Declared[], problems: Problems): unknown {
  const own = chain.findLast(({ record }) => record.ttls.length > 0)
  if (own === undefined) return undefined
  if (own.record.ttls.length > 1) problems.add({ code: 'INVALID_TTL', message: `${described(own.by)} has @Ttl twice. Keep one.` })
  return own.record.ttls[0] ?? null // null is refused later, because it is not a duration
}

/** Those of the parents first. A name that is there twice is refused. */
function indexesIn(chain: readonly Declared[], problems: Problems): readonly GivenIndex[] {
  const names = new Set<string>()
  return chain.flatMap(({ by, record }) =>
    record.indexes.flatMap(([name, definition]) => {
      if (names.has(name)) {
        problems.add({ code: 'INVALID_INDEX', message: `${described(by)} has @Index('${showName(name)}') twice. Keep one.` })
        return []
      }
      names.add(name)
      return givenIndex(name, definition, problems)
    }),
  )
}

function versionOf(fields: readonly FieldRecord[], problems: Problems): string | undefined {
  const [version, second] = fields.filter(({ role }) => role === 'version')
  if (second !== undefined) {
    const message = `'${showName(version?.name)}' and '${showName(second.name)}' are both decorated with @Version. A row has one version.`
    problems.add({ code: 'INVALID_VERSION', column: second.name, message })
  }
  return version?.name
}

function fieldsOf(chain: readonly Declared[], problems: Problems): readonly ColumnField[] {
  const fields = new Map<string, ColumnField>()
  for (const { by, record } of chain) {
    for (const field of record.fields) {
      const { name, refused } = field
      if (refused !== undefined) {
        problems.add({
          code: 'NO_FIELD',
          column: name,
          message: `'${showName(name)}' of ${described(by)} is ${refused}, which cannot be a column. Decorate public instance fields.`,
        })
      } else if (fields.has(name)) {
        problems.add({
          code: 'REDEFINED_COLUMN',
          column: name,
          message:
            `column '${showName(name)}' is declared again in ${described(by)}. ` +
            'A column can be declared only once in a class and its parents. Rename or remove one.',
        })
      } else {
        const type = columnTypeOf(by, field, problems)
        fields.set(name, { ...field, type })
        if (field.hasType) checkDesignType(by, name, type, problems)
      }
    }
  }
  return [...fields.values()]
}
