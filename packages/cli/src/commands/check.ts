import { type Command, InvalidArgumentError } from 'commander'
import type { CheckFlags } from '../check/check-options.js'
import type { Shell } from '../shell.js'
import { positive, withExample } from './options.js'

/** `rowkey check` */
export function checkCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Tests whether rowkey holds on a store: every rule of the store contract, and random queries. It creates tables rowkey_check_…, asks before that, and drops them at the end, also after Ctrl-C. It touches no other table. Exit code 1: a rule failed.',
    )
    .argument('[url]', 'the store, such as redis://host:6379, or memory:; by default that of ROWKEY_URL')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'print the tables and the rights that it needs, and connect to nothing')
    .option('--quick', 'a rule for each id of the contract')
    .option('--full', 'also rules that write tens of thousands of rows')
    .option('--only <text>', 'the rules whose titles contain this text')
    .option('--seed <number>', 'of the random queries', whole, 1)
    .option('--limit <seconds>', 'how long a rule may take', positive, 120)
    .option('--parallel <rules>', 'how many rules are tested at a time; latencies are then longer', positive, 1)
    .option('--prefix <text>', 'what comes before rowkey_check_ in the names of tables')
    .option('--remove <prefix>', 'drop what a check with the same options has left, such as rowkey_check_k3x9_')
    .option('--json', 'print JSON, as a report')
    .action(async (url: string | undefined, flags: CheckFlags) => {
      // The suite is loaded for this command alone.
      const { runCheck } = await import('../check/run-check.js')
      await runCheck(url, flags, shell)
    })
  return withExample(command, 'rowkey check memory: --only GET- --yes')
}

/** A whole number from 0. */
function whole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number from 0.')
}
