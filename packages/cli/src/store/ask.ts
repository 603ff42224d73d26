// Tested by stores-commands.test.ts.
import { createInterface } from 'node:readline/promises'
import { Failure } from '../failure.js'
import type { Shell } from '../shell.js'

/** Asks on a terminal, where only y or yes is one. @throws Failure if nobody can be asked */
export async function isSure(command: string, { stdin, stderr }: Shell, question: string, signal: AbortSignal): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) throw new Failure(`${command} asks on a terminal only. Elsewhere, give --yes.`)
  const reader = createInterface({ input: stdin, output: stderr })
  try {
    return /^y(?:es)?$/i.test((await reader.question(question, { signal })).trim())
  } finally {
    reader.close()
  }
}
