// Also tested by decode-stream.test.ts and told.test.ts.
import { CommanderError } from 'commander'
import { exitCodes } from './failure.js'
import { programOf } from './program.js'
import { Shell, type Surroundings } from './shell.js'

/**
 * Runs the command with its arguments. Resolves to the exit code when it has done its work; the messages of its failures are then on stderr.
 */
export async function run(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const shell = new Shell(surroundings)
  const program = programOf(shell, run)
  try {
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return shell.exitCode
  } catch (error) {
    // It has printed its message, the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
    const { told } = await import('./told.js')
    const { text, exitCode } = told(error, args.includes('--debug'), shell.env)
    shell.tell(text)
    return exitCode
  }
}
