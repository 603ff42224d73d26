import { sizeOf } from 'rowkey/conformance'

/** How SCAN-16 replaces a row of a store, in a long run. */
const replaced = {
  often: 'SCAN-16: a row that was replaced 20000 ',
  /** A tenth, for stores in which that takes long. */
  less: 'SCAN-16: a row that was replaced 2000 ',
  /** For stores that take milliseconds for a conditional write. */
  plainly: 'SCAN-16: a row of a plain table ',
}

/** Emulators of DynamoDB have the rules of a tenth in place of the huge ones. */
const ofTenth = ['SCAN-14: 3000', 'SCAN-15: reads next to 2000 ']

type AddTest = (name: string, run: () => Promise<void>) => unknown

const without =
  (test: AddTest, titles: readonly string[]): AddTest =>
  (name, run) =>
    titles.some((title) => name.startsWith(title)) ? undefined : test(name, run)

/** Adds the tests of a slow store: without the large rules, if `areLeftOut`, and never with those of the greatest numbers. */
export const withoutLarge =
  (test: AddTest, areLeftOut: boolean): AddTest =>
  (name, run) => {
    const size = sizeOf(name)
    return size === 'huge' || (areLeftOut && size === 'large') ? undefined : test(name, run)
  }

/** Adds the tests of a store with pages of any size, which keeps no count of requests. */
export const withoutCounts = (test: AddTest): AddTest => without(test, ['SCAN-14', 'SCAN-15', 'SCAN-16'])

/** Adds the tests of an emulator beside one that scans by stricter rules. */
export const withoutScans = (test: AddTest): AddTest => without(test, ['SCAN-', 'PRED-', 'R18 '])

/** Adds the tests of every other store: a short run leaves out the greatest numbers. */
export function withoutHuge(test: AddTest, areLeftOut: boolean, how: keyof typeof replaced = 'often'): AddTest {
  // Only the gate needs the greatest numbers on every store.
  if (areLeftOut) return withoutLarge(without(test, [...ofTenth, replaced.less]), false)
  return without(test, [...ofTenth, ...Object.values(replaced).filter((title) => title !== replaced[how])])
}
