/** Rules of the conformance suite that write thousands of rows. */
const largeRules = [
  'SCAN-1 ADAPTER-3 ADAPTER-5: thousands of rows',
  'SCAN-1: a merge of buckets with concurrent writers',
  'SCAN-1 R2 ADAPTER-2: any two bounds',
  'R18 ADAPTER-2: the same in reverse',
  'PRED-1 PRED-2 ADAPTER-4: a filter drops no row that passes',
  'WRITE-3: 2 × 1,000 interleaved updates',
]

type AddTest = (name: string, run: () => Promise<void>) => unknown

/** Adds the tests of a slow store: without the large rules, if `areLeftOut`. */
export const withoutLarge =
  (test: AddTest, areLeftOut: boolean): AddTest =>
  (name, run) =>
    areLeftOut && largeRules.some((title) => name.startsWith(title)) ? undefined : test(name, run)
