// Tested by stores-commands.test.ts.
import { createInterface } from 'node:readline/promises'
import { Failure } from '../failure.js'
import type { Shell } from '../shell.js'

/** Asks on a terminal, where only y or yes is one. @throws Failure if nobody can be asked, or after Ctrl-C */
export async function isSure(command: string, { stdin, stderr }: Shell, question: string, signal: AbortSignal): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) throw new Failure(`${command} asks on a terminal only. Elsewhere, give --yes.`)
  const reader = createInterface({ input: stdin, output: stderr })
  try {
    return /^y(?:es)?$/i.test((await reader.question(question, { signal })).trim())
  } catch (error) {
    if ((error as Partial<Error>).name !== 'AbortError') throw error
    if (signal.aborted) throw signal.reason
    throw new Failure('interrupted. Nothing has changed.', 130, { cause: error }) // the terminal gives Ctrl-C to who reads it
  } finally {
    reader.close()
  }
}
