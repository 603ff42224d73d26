import { Option, type Command } from 'commander'
import { findingText } from 'rowkey/adapter'
import { Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { storeNames, stores, type DdlOption } from '../store-list.js'
import { knownFacts, storeWithDdl, withoutDdl } from '../stores.js'
import { wrap } from '../text/wrap.js'
import { chosenModels, positive, withExample, withModels, type ModelOptions } from './options.js'

type Options = ModelOptions & { readonly store: string } & Readonly<Record<string, unknown>>

/** The options of a definition, by store. They are those of its adapter. */
const optionsOf = (store: string): readonly Option[] => (stores[store]?.options ?? []).map((option) => optionOf(store, option))

function optionOf(store: string, { flags, about, choices, isCount }: DdlOption): Option {
  const option = new Option(flags, `${knownFacts(store)?.title ?? store}: ${about}`)
  if (choices !== undefined) option.choices(choices)
  return isCount === true ? option.argParser(positive) : option
}

/** `rowkey ddl` */
export function ddlCommand(command: Command, shell: Shell): Command {
  command
    .description('Prints the definitions of tables in a store, as ensureTables() would make them. Nothing is executed.')
    .argument('[model...]', 'tables or classes; all of them by default')
    .addOption(new Option('--store <name>', 'the store').choices(storeNames).makeOptionMandatory())
    .action(async (names: readonly string[], options: Options, self: Command) => {
      const { store } = options
      const models = await chosenModels(names, options, shell)
      const none = await withoutDdl(store, shell.folder)
      if (none !== undefined) {
        shell.tell(none)
        return options.json ? shell.printJson({ store, definitions: [] }) : undefined
      }
      const description = await storeWithDdl(store, shell.folder)
      const definitions = models.map(({ schema }) => ({ table: schema.name, ...description.ddl(schema, ddlOptions(store, options, self)) }))
      if (options.json) return shell.printJson({ store, definitions })
      for (const { table, text, warnings } of definitions) {
        // Some stores have them as comments in the text.
        for (const warning of warnings.filter(({ message }) => !text.includes(message)))
          shell.tell(wrap(`${table}: ${findingText(warning)}`, shell.width).join('\n'))
      }
      return shell.print(definitions.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join('\n'))
    })
  for (const option of storeNames.flatMap(optionsOf)) command.addOption(option)
  return withExample(withModels(command), 'rowkey ddl logs --store cassandra --keyspace shop')
}

/** @throws Failure for an option of another store */
function ddlOptions(store: string, options: Options, command: Command): object {
  const namesOf = (each: string): readonly string[] => optionsOf(each).map((option) => option.attributeName())
  const set = storeNames.flatMap(namesOf).filter((name) => command.getOptionValueSource(name) === 'cli')
  const own = namesOf(store)
  const foreign = set.find((name) => !own.includes(name))
  if (foreign !== undefined) throw new Failure(`${store} has no option ${foreign}. It has: ${own.join(', ')}.`)
  return Object.fromEntries(set.map((name) => [name, options[name]]))
}
