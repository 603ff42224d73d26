import { MalformedAnswer, type Input, type Reader, type Reading } from '../thrift/input.js'
import { listHeader, skip } from '../thrift/read.js'
import { I64, LIST, STOP, STRING, STRUCT } from '../thrift/types.js'
import type { Cell, Result } from '../requests.js'

/** A cell with a family, a qualifier, a value, each at least a field header and a length, and the end of its fields. */
const minCellSize = 22
/** A result with an empty list of cells. */
const minResultSize = 9

class ReadCell implements Cell {
  readonly family: Uint8Array
  readonly qualifier: Uint8Array
  readonly value: Uint8Array
  readonly #high: number
  readonly #low: number

  constructor(family: Uint8Array, qualifier: Uint8Array, value: Uint8Array, high: number, low: number) {
    this.family = family
    this.qualifier = qualifier
    this.value = value
    this.#high = high
    this.#low = low
  }

  /** Made when it is asked for: most readers never do. */
  get timestamp(): bigint {
    return (BigInt(this.#high) << 32n) | BigInt(this.#low >>> 0)
  }
}

/** The names of the previous row, by the places of its cells. */
class Names {
  readonly families: Uint8Array[] = []
  readonly qualifiers: Uint8Array[] = []
}

/** A `TResult`. It is one loop, without a reader per field, because nearly everything that ever arrives is read here. */
function* readResult(input: Input, { families, qualifiers }: Names): Reading<Result> {
  let row: Uint8Array | undefined
  let cells: Cell[] | undefined
  for (;;) {
    while (!input.has(1)) yield
    const type = input.byte()
    if (type === STOP) break
    while (!input.has(2)) yield
    const id = input.int16()
    if (id === 1 && type === STRING) {
      while (!input.has(4)) yield
      const length = input.count(1)
      while (!input.has(length)) yield
      row = input.view(length)
    } else if (id === 2 && type === LIST) {
      const count = yield* listHeader(input, STRUCT, minCellSize)
      cells = []
      for (let index = 0; index < count; index++) {
        let family: Uint8Array | undefined
        let qualifier: Uint8Array | undefined
        let value: Uint8Array | undefined
        let high = 0
        let low = 0
        for (;;) {
          while (!input.has(1)) yield
          const cellType = input.byte()
          if (cellType === STOP) break
          while (!input.has(2)) yield
          const cellId = input.int16()
          if (cellType === STRING && cellId >= 1 && cellId <= 3) {
            while (!input.has(4)) yield
            const length = input.count(1)
            while (!input.has(length)) yield
            if (cellId === 3) value = input.view(length)
            else if (cellId === 2) qualifier = qualifiers[index] = input.viewOr(qualifiers[index], length)
            else family = families[index] = input.viewOr(families[index] ?? families[index - 1], length)
          } else if (cellType === I64 && cellId === 4) {
            while (!input.has(8)) yield
            high = input.int32()
            low = input.int32()
          } else yield* skip(input, cellType)
        }
        if (family === undefined || qualifier === undefined || value === undefined) {
          throw new MalformedAnswer('a cell has no family, no qualifier or no value')
        }
        cells.push(new ReadCell(family, qualifier, value, high, low))
      }
    } else yield* skip(input, type)
  }
  if (cells === undefined) throw new MalformedAnswer('a row has no list of cells')
  return { row, cells }
}

/** One row. */
export const result: Reader<Result> = { type: STRUCT, read: (input) => readResult(input, new Names()) }

/** Rows, at most as many as were asked for. */
export const results = (maxRows: number): Reader<Result[]> => ({
  type: LIST,
  *read(input) {
    const count = yield* listHeader(input, STRUCT, minResultSize)
    if (count > maxRows) throw new MalformedAnswer(`it has ${count} rows where at most ${maxRows} were asked for`)
    const names = new Names()
    const rows: Result[] = []
    for (let index = 0; index < count; index++) rows.push(yield* readResult(input, names))
    return rows
  },
})
