// Tested by pipes.test.ts and failures.test.ts.
import { CommanderError } from 'commander'
import { exitCodes, told } from './failure.js'
import { endWithReader, tell } from './output.js'
import { programOf } from './program.js'
import { version } from './version.js'

/**
 * Runs the command with its arguments. Resolves when it has done its work; the exit code is then that of the process.
 */
export async function run(args: readonly string[]): Promise<void> {
  endWithReader((code) => process.exit(code))
  const program = await programOf(version(), args[0])
  try {
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has printed its message, the help or the version.
      process.exitCode = error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
      return
    }
    const { text, exitCode } = told(error, args.includes('--debug'))
    tell(text)
    process.exitCode = exitCode
  }
}
