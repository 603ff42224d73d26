import { Argument, Command } from 'commander'
import { completionScript, shells } from '../completion/scripts.js'
import { commandsOf } from '../completion/tree.js'
import { print } from '../output.js'
import { withExample } from './options.js'

/** `rowkey completion` */
export function completionCommand(): Command {
  const command = new Command('completion')
    .summary('completion for bash, zsh and fish')
    .description('Prints a script that completes commands, options, and the tables of rowkey.lock.json in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: string, _: object, self: Command) => print(completionScript(shell, commandsOf(self.parent as Command))))
  return withExample(command, 'source <(rowkey completion bash)')
}
