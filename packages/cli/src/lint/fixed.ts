// Tested by lint.test.ts.
import { advise, applyFix, schemaCode, type Finding, type AdviceOptions } from '@rowkey/advisor'
import { reverseOfColumn } from 'rowkey/internal'
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

/** The models that fixes change, with all fixes of warnings and errors applied, one after the other. */
export function fixedModels(models: readonly LoadedModel[], options: AdviceOptions): readonly FixedModel[] {
  return models.flatMap(({ schema: given, name }) => {
    let schema = given
    let known = ofTable(options, given)
    const fixed: Finding[] = []
    while (fixed.length < maxFixes) {
      const next = advise([schema], known).findings.find(
        ({ change, severity, code }) => change !== undefined && severity !== 'info' && !fixed.some((each) => each.code === code),
      )
      if (next === undefined) break
      schema = applyFix(schema, next)
      fixed.push(next)
      // The sample is of the rows of the schema before.
      const { stats: _, ...rest } = known
      known = rest
    }
    return fixed.length === 0 ? [] : [{ table: given.name, fixed, code: schemaCode(schema, name === given.name ? undefined : name) }]
  })
}

/** What is about a table. Its queries want the same order of every changed model, also if they say `'reverse'`. */
function ofTable({ queries = [], writes = [], stats = [], ignore = [], ...rest }: AdviceOptions, schema: TableSchema): AdviceOptions {
  const { name } = schema
  const own = <T extends { readonly table: string }>(all: readonly T[]): readonly T[] => all.filter(({ table }) => table === name)
  return {
    ...rest,
    queries: own(queries).map((query) =>
      query.order === 'reverse' ? { ...query, order: reverseOfColumn(schema, (column) => query.where[column] === '=') } : query,
    ),
    writes: own(writes),
    stats: own(stats),
    ignore: ignore.filter(({ table }) => table === undefined || table === name),
  }
}
