type Mode = 'legacy' | 'standard'
/** What a compiler says, in lines, by page and line. */
type Messages = ReadonlyMap<string, readonly string[]>

export const modes: readonly Mode[]
export const mistakes: readonly {
  readonly at: string
  readonly line: string
  says(mode: Mode): readonly string[]
}[]
export function writePages(app: string, mode: Mode, options?: object): void
export function messagesIn(output: string): Messages
export function faultsOf(messages: Messages, mode: Mode): readonly string[]
