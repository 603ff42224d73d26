import type { Row } from '../values/value.js'
import type { LayoutParts } from './layout-parts.js'
import { generate, type HotPaths } from '../generated/generate.js'

/**
 * `'auto'`: a layout that is used often gets code made for it, by `new Function`, where the host allows that. `'never'`: it does
 * not. Results are the same.
 */
export type Codegen = 'auto' | 'never'

/** Making the code takes as long as some hundred calls save. */
const heat = 1000

/** The hot paths of a layout: the closures, which leave everything to their callers, until the layout is hot. */
export function hotPaths(parts: LayoutParts, compare: (a: Row, b: Row) => number, codegen: Codegen): HotPaths {
  const closures: HotPaths = {
    writeKey: () => -1,
    writeRow: () => -1,
    writeRest: () => -1,
    intoKey: () => -1,
    intoRow: () => -1,
    readKey: () => undefined,
    readRow: () => undefined,
    compare,
  }
  if (codegen === 'never') return closures
  let calls = 0
  const count = (): void => {
    if (++calls === heat) Object.assign(paths, generate(parts) ?? closures)
  }
  const write = (): number => {
    count()
    return -1
  }
  const read = (): undefined => {
    count()
  }
  const paths: HotPaths = {
    writeKey: write,
    writeRow: write,
    writeRest: write,
    intoKey: write,
    intoRow: write,
    readKey: read,
    readRow: read,
    compare(a, b) {
      count()
      return compare(a, b)
    },
  }
  return paths
}
