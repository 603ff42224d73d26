import type { QueryStats, Repository, TableSchema } from 'rowkey'

/** Nothing was read. */
export const none: QueryStats = { streams: 0, calls: 0, examined: 0, sent: 0, returned: 0 }
/** Of two reads together. */
export const plus = (a: QueryStats, b: QueryStats): QueryStats => ({
  streams: 0,
  calls: a.calls + b.calls,
  examined: a.examined + b.examined,
  sent: a.sent + b.sent,
  returned: a.returned + b.returned,
})

/** The rows of all pages, and what they cost. */
export async function allPages(
  rows: Repository<TableSchema>,
  where: object,
  options: object,
  size: number,
): Promise<{ readonly rows: readonly object[]; readonly stats: QueryStats }> {
  const found: object[] = []
  let stats = none
  let cursor: string | undefined
  do {
    const page = await rows.scan(where as never, options as never).page({ size, cursor })
    found.push(...page.rows)
    stats = plus(stats, page.stats)
    ;({ cursor } = page)
  } while (cursor !== undefined)
  return { rows: found, stats }
}

/** As text, with numbers that JSON does not have. */
export const inspect = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : typeof each === 'number' && !Number.isFinite(each) ? String(each) : each,
  )
