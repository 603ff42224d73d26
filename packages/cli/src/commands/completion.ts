import { Argument, type Command } from 'commander'
import { completionScript, shells } from '../completion/scripts.js'
import { commandsOf } from '../completion/tree.js'
import type { Shell } from '../shell.js'
import { withExample } from './options.js'

/** `rowkey completion` */
export function completionCommand(command: Command, shell: Shell): Command {
  command
    .description('Prints a script that completes commands, options, and the tables of rowkey.lock.json in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((name: string, _: object, self: Command) => shell.print(completionScript(name, commandsOf(self.parent as Command))))
  return withExample(command, 'source <(rowkey completion bash)')
}
