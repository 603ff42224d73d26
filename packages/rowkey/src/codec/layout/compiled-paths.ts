import type { Row } from '../type/column-type.js'
import type { LayoutParts } from './layout-parts.js'
import { compileLayout, type CompiledPaths } from './compile-layout.js'

/**
 * `'auto'`: a layout that is used often is compiled, by `new Function`, if the host allows that. `'never'`: it is not. Results are the
 * same.
 */
export type Codegen = 'auto' | 'never'

/** After so many calls. Compiling takes as long as several hundred calls save. */
const compileAfter = 1000

/** The compiled paths of a layout. Until it is compiled, each of them leaves the call to the interpreter; then `onCompiled` is called. */
export function compiledPaths(
  parts: LayoutParts,
  compare: (a: Row, b: Row) => number,
  codegen: Codegen,
  onCompiled: () => void,
): CompiledPaths {
  const interpreted: CompiledPaths = { partitionEnd: 0, writeRow: () => -1, writeRest: () => -1, readRow: () => undefined, compare }
  if (codegen === 'never') return interpreted
  let calls = 0
  const count = (): void => {
    if (++calls !== compileAfter) return
    Object.assign(paths, { count: undefined }, compileLayout(parts) ?? interpreted)
    onCompiled()
  }
  const write = (): number => {
    count()
    return -1
  }
  /** Callers keep it: from then on it calls the compiled one. */
  const first = (a: Row, b: Row): number => {
    if (paths.compare !== first) return paths.compare(a, b)
    count()
    return compare(a, b)
  }
  const paths: CompiledPaths = {
    partitionEnd: 0,
    writeRow: write,
    writeRest: write,
    readRow() {
      count()
      return undefined
    },
    compare: first,
    count,
  }
  return paths
}
