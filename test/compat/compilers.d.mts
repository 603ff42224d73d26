/** What `tsc --pretty false` prints, and whether it exits with 0. */
export interface Answer {
  readonly works: boolean
  readonly text: string
}
export function runCompiler(tsc: string, cwd: string, file?: string): Promise<Answer>
