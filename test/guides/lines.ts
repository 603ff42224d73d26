import { changes } from './changes.js'
import { designs } from './designs.js'
import { indexes } from './indexes.js'
import { keys } from './keys.js'
import { kudu } from './kudu.js'
import { kuduColumns } from './kudu-columns.js'
import { kuduRanges } from './kudu-ranges.js'
import type { Line } from './line.js'
import { partitioning } from './partitioning.js'
import { queries } from './queries.js'

/** The tests of the guides by file, made for one store. */
export function linesOfGuides(): Readonly<Record<string, readonly Line[]>> {
  return Object.fromEntries(
    Object.entries({
      queries,
      keys,
      designs,
      indexes,
      partitioning,
      changes,
      kudu,
      'kudu-columns': kuduColumns,
      'kudu-ranges': kuduRanges,
    }).map(([file, add]) => {
      const lines: Line[] = []
      add((title, run, refused = {}, only) => lines.push({ title, run, refused, only }))
      return [`test/guides/${file}.ts`, lines]
    }),
  )
}
