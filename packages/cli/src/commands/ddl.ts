// Tested by ddl.test.ts.
import { Option, type Command } from 'commander'
import { findingText } from '@rowkey/store/adapter'
import { Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { storeNames, storeOf, withoutDdl } from '../stores.js'
import { wrap } from '../text/wrap.js'
import { chosenModels, positive, withExample, withModels, type ModelOptions } from './options.js'

/** The options of a definition, by store. They are those of its adapter. */
const optionsOf: Readonly<Record<string, readonly string[]>> = {
  cassandra: ['keyspace'],
  dynamodb: ['nativeTtl'],
  hbase: ['namespace', 'profile'],
  redis: ['shards'],
}
const given = ['keyspace', 'namespace', 'profile', 'shards', 'nativeTtl'] as const

type Options = ModelOptions & { readonly store: string } & Readonly<Partial<Record<(typeof given)[number], unknown>>>

/** `rowkey ddl` */
export function ddlCommand(command: Command, shell: Shell): Command {
  command
    .description('Prints the definitions of tables in a store, as ensureTables() would make them. Nothing is executed.')
    .argument('[model...]', 'tables or classes; all of them by default')
    .addOption(new Option('--store <name>', 'the store').choices(storeNames).makeOptionMandatory())
    .option('--keyspace <name>', 'Cassandra: the keyspace; by default the one that is in use')
    .option('--namespace <name>', 'HBase: the namespace')
    .addOption(new Option('--profile <name>', 'HBase: what the servers are').choices(['hbase', 'lindorm']))
    .option('--shards <count>', 'Redis: the shards of a table; 64 by default', positive)
    .option('--no-native-ttl', 'DynamoDB: without UpdateTimeToLive')
    .action(async (names: readonly string[], options: Options, self: Command) => {
      const { store } = options
      const models = await chosenModels(names, options, shell)
      const none = withoutDdl(store)
      if (none !== undefined) {
        shell.tell(none)
        return options.json ? shell.printJson({ store, definitions: [] }) : undefined
      }
      const description = await storeOf(store, shell.folder)
      const definitions = models.map(({ schema }) => ({ table: schema.name, ...description.ddl(schema, ddlOptions(store, options, self)) }))
      if (options.json) return shell.printJson({ store, definitions })
      for (const { table, text, warnings } of definitions) {
        // Some stores have them as comments in the text.
        for (const warning of warnings.filter(({ message }) => !text.includes(message)))
          shell.tell(wrap(`${table}: ${findingText(warning)}`, shell.width).join('\n'))
      }
      return shell.print(definitions.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join('\n'))
    })
  return withExample(withModels(command), 'rowkey ddl logs --store cassandra --keyspace shop')
}

/** @throws Failure for an option of another store */
function ddlOptions(store: string, options: Options, command: Command): object {
  const set = given.filter((name) => command.getOptionValueSource(name) === 'cli')
  const foreign = set.find((name) => optionsOf[store]?.includes(name) !== true)
  if (foreign !== undefined) throw new Failure(`${store} has no option ${foreign}. It has: ${(optionsOf[store] ?? []).join(', ')}.`)
  return Object.fromEntries(set.map((name) => [name, options[name]]))
}
