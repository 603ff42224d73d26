import { kinds } from './kinds.js'
import { randomLayout, type OracleColumn, type OracleLayout } from './layout.js'
import type { Random } from './random.js'

/** The number of candidates for each chosen layout. */
const candidates = 1000

/**
 * Chooses this many layouts that together contain as many pairs of traits as possible: two traits of a key column, or one and the salt of
 * its table.
 */
export function pairwiseLayouts(random: Random, count: number): { readonly layouts: readonly OracleLayout[]; readonly pairs: number } {
  const covered = new Set<string>()
  const layouts: OracleLayout[] = []
  while (layouts.length < count) {
    let best: { layout: OracleLayout; fresh: readonly string[] } | undefined
    for (let i = 0; i < candidates; i++) {
      const layout = randomLayout(random)
      const fresh = pairsOf(layout).filter((pair) => !covered.has(pair))
      if (best === undefined || fresh.length > best.fresh.length) best = { layout, fresh }
    }
    if (best === undefined) break
    layouts.push(best.layout)
    for (const pair of best.fresh) covered.add(pair)
  }
  return { layouts, pairs: covered.size }
}

const saltKinds = ['none', 'hash', 'modulo', 'hashPrefix', 'hashPartition', 'levels']

/** How many pairs there are: kind, direction, position of nulls, salt, position in the key. */
export function allPairs(): number {
  const sizes = [kinds.length, 2, 3, saltKinds.length, 2]
  return sizes.flatMap((size, i) => sizes.slice(i + 1).map((other) => size * other)).reduce((sum, product) => sum + product)
}

function pairsOf(layout: OracleLayout): readonly string[] {
  const pairs = new Set<string>()
  layout.key.forEach((column, i) => {
    if (column.period !== undefined) return
    const traits = traitsOf(layout, column, i)
    traits.forEach((one, n) => {
      for (const other of traits.slice(n + 1)) pairs.add(`${one} × ${other}`)
    })
  })
  return [...pairs]
}

const traitsOf = ({ partitionLength, salts }: OracleLayout, { kind, desc, nulls }: OracleColumn, i: number): readonly string[] => [
  kind.name,
  desc ? 'descending' : 'ascending',
  nulls === undefined ? 'never null' : `nulls ${nulls}`,
  saltOf(salts),
  i < partitionLength ? 'partition' : 'rest',
]

function saltOf(salts: OracleLayout['salts']): string {
  return salts.length > 1 ? 'levels' : (salts[0]?.kind ?? 'none')
}
