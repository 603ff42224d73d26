/** One planted bug: edits of sources (file, text, what it becomes), and the tests that must notice. */
export interface Mutant {
  readonly name: string
  readonly tests?: readonly string[]
  readonly edits: readonly (readonly [file: string, from: string, to: string])[]
}
export const mutants: readonly Mutant[]
