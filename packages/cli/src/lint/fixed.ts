// Tested by lint.test.ts.
import { advise, applyFix, classCode, schemaCode, statsAfter, type AdviceOptions, type Finding, type QueryShape } from '@rowkey/advisor'
import type { TableSchema } from 'rowkey'
import type { LoadedModel } from '../load/load-models.js'

/** A model after its fixes. */
export interface FixedModel {
  readonly table: string
  /** What was fixed, in order. */
  readonly fixed: readonly Finding[]
  /** The changed model as code. */
  readonly code: string
}

/** A fix can make another one possible, and none comes back. */
const maxFixes = 20

/** The names of a table and of the entries of its indexes. */
export const tablesOf = ({ name, indexes }: TableSchema): readonly string[] => [name, ...indexes.map(({ schema }) => schema.name)]

/** The models that fixes change, with all fixes of warnings and errors applied, one after the other. */
export function fixedModels(models: readonly LoadedModel[], options: AdviceOptions): readonly FixedModel[] {
  return models.flatMap(({ schema: given, name, isClass }) => {
    let schema = given
    let known = ofTables(options, tablesOf(given))
    const fixed: Finding[] = []
    while (fixed.length < maxFixes) {
      const next = advise([schema], known).findings.find(
        ({ change, severity, code, table }) =>
          change !== undefined && severity !== 'info' && !fixed.some((each) => each.code === code && each.table === table),
      )
      if (next === undefined) break
      const before = schema
      schema = applyFix(before, next)
      fixed.push(next)
      const queries = next.code === 'reverse' ? (known.queries ?? []).map(forwards) : (known.queries ?? [])
      known = { ...known, queries, stats: (known.stats ?? []).flatMap((stats) => statsAfter(stats, before, schema) ?? []) }
    }
    const codeOf = isClass === true ? classCode : schemaCode // as it is declared
    return fixed.length === 0 ? [] : [{ table: given.name, fixed, code: codeOf(schema, name === given.name ? undefined : name) }]
  })
}

/** The query of a key whose direction was turned: its order is that of the key now. */
function forwards(query: QueryShape): QueryShape {
  const { order, ...rest } = query
  return order === 'reverse' ? rest : query
}

function ofTables({ queries = [], writes = [], stats = [], ignore = [], ...rest }: AdviceOptions, names: readonly string[]): AdviceOptions {
  const own = <T extends { readonly table: string }>(all: readonly T[]): readonly T[] => all.filter(({ table }) => names.includes(table))
  return {
    ...rest,
    queries: own(queries),
    writes: own(writes),
    stats: own(stats),
    ignore: ignore.filter(({ table }) => table === undefined || names.includes(table)),
  }
}
