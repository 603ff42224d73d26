// Tested by test/setup/large-rules.ts and checkup.test.ts.

/** How much a rule writes: a few rows; thousands of them; more than a slow store takes in a minute. */
export type RuleSize = 'small' | 'large' | 'huge'

/** Rules that write thousands of rows, by how their titles begin. */
const large: readonly string[] = [
  'SCAN-1 ADAPTER-3 ADAPTER-5: thousands of rows',
  'SCAN-1: a merge of buckets with concurrent writers',
  'SCAN-1 R2 ADAPTER-2: any two bounds',
  'R18 ADAPTER-2: the same in reverse',
  'PRED-1 PRED-2 ADAPTER-4: a filter drops no row that passes',
  'WRITE-3: 2 × 1,000 interleaved updates',
  'SCAN-14: 3000',
  'SCAN-15: reads next to 2000 ',
  'SCAN-16: a row that was replaced 2000 ',
]

/** Rules of the greatest numbers. */
const huge: readonly string[] = [
  'SCAN-14: 9000',
  'SCAN-15: reads next to 20000 ',
  'SCAN-16: a row that was replaced 20000 ',
  'SCAN-16: a row of a plain table ',
]

const isOf = (title: string, beginnings: readonly string[]): boolean => beginnings.some((each) => title.startsWith(each))

/** The size of a rule, by its title. */
export function sizeOf(title: string): RuleSize {
  if (isOf(title, huge)) return 'huge'
  return isOf(title, large) ? 'large' : 'small'
}

const order: readonly RuleSize[] = ['small', 'large', 'huge']

/** Whether a rule is at most of a size. */
export const isWithin = (title: string, size: RuleSize): boolean => order.indexOf(sizeOf(title)) <= order.indexOf(size)

/** Of some titles, the first one of each rule of the contract: about a third of them. */
export function firstOfEachId(titles: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const first = new Set<string>()
  for (const title of titles) {
    const ids = title.slice(0, title.indexOf(':')).split(' ')
    if (ids.every((id) => seen.has(id))) continue
    first.add(title)
    for (const id of ids) seen.add(id)
  }
  return first
}
