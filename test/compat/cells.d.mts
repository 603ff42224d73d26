export interface Cell {
  readonly row: string
}
export const versions: readonly string[]
export const tscCells: readonly (Cell & { readonly column: string })[]
export const adapterCells: readonly (Cell & { readonly column: string })[]
export const otherCells: readonly (Cell & { readonly group: string })[]
