/** Rules of the conformance suite that write thousands of rows. */
const largeRules = [
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

/** How SCAN-16 replaces a row of a store, in a long run. */
const replaced = {
  often: 'SCAN-16: a row that was replaced 20000 ',
  /** A tenth, for stores in which that takes long. */
  less: 'SCAN-16: a row that was replaced 2000 ',
  /** For stores that take milliseconds for a conditional write. */
  plainly: 'SCAN-16: a row of a plain table ',
}

/** Rules that only the gate needs on every store; emulators of DynamoDB have those of a tenth. */
const hugeRules = ['SCAN-14: 9000', 'SCAN-15: reads next to 20000 ', replaced.often, replaced.plainly]
const ofTenth = ['SCAN-14: 3000', 'SCAN-15: reads next to 2000 ']

type AddTest = (name: string, run: () => Promise<void>) => unknown

const without =
  (test: AddTest, titles: readonly string[]): AddTest =>
  (name, run) =>
    titles.some((title) => name.startsWith(title)) ? undefined : test(name, run)

/** Adds the tests of a slow store: without the large rules, if `areLeftOut`, and never with those of the greatest numbers. */
export const withoutLarge = (test: AddTest, areLeftOut: boolean): AddTest =>
  without(test, areLeftOut ? [...largeRules, ...hugeRules] : hugeRules)

/** Adds the tests of a store with pages of any size, which keeps no count of requests. */
export const withoutCounts = (test: AddTest): AddTest => without(test, ['SCAN-14', 'SCAN-15', 'SCAN-16'])

/** Adds the tests of an emulator beside one that scans by stricter rules. */
export const withoutScans = (test: AddTest): AddTest => without(test, ['SCAN-', 'PRED-', 'R18 '])

/** Adds the tests of every other store: a short run leaves out the greatest numbers. */
export function withoutHuge(test: AddTest, areLeftOut: boolean, how: keyof typeof replaced = 'often'): AddTest {
  if (areLeftOut) return without(test, [...hugeRules, ...ofTenth, replaced.less])
  return without(test, [...ofTenth, ...Object.values(replaced).filter((title) => title !== replaced[how])])
}
