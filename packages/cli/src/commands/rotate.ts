// Tested by packages/cli/test/servers/ranges.test.ts.
import { inspect } from 'node:util'
import type { Command } from 'commander'
import type { RangeChanges } from 'rowkey/adapter'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { isSure } from '../store/ask.js'
import { withStores } from '../store/with-store.js'
import { rangeJson, rangeText } from '../text/ranges.js'
import { chosenModel, withExample, withStoreOptions, type StoreOptions } from './options.js'

/** `rowkey rotate` */
export function rotateCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Adds the ranges that a model wants by now, and drops those that it keeps no longer with all their rows, in one change. It first prints what that is. ' +
        'On a terminal it asks; elsewhere it changes nothing without --yes. For Kudu.',
    )
    .argument('<model>', 'a table or a class')
    .option('--yes', 'do not ask')
    .action(async (name: string, options: StoreOptions & { readonly yes?: true }) => {
      const { schema } = await chosenModel(name, options, shell)
      await withStores(shell, [[options.url, options]], async ([store], { signal }) => {
        if (store === undefined) return
        const { add, drop } = await store.db.rotate(schema, { dryRun: true, signal })
        const isIdle = add.length + drop.length === 0
        const told = [
          ...add.map((range) => `+ ${rangeText(schema, range)}`),
          ...drop.map((range) => `- ${rangeText(schema, range)}`),
          ...(isIdle ? [`'${schema.name}' has the ranges that it needs.`] : []),
        ]
        if (!options.json) await shell.printLines(told)
        const isAsked = options.yes === undefined && !isIdle && shell.stdin.isTTY && shell.stderr.isTTY
        const question = `Add ${add.length} and drop ${drop.length} ranges of '${schema.name}' in ${store.url}, with the rows of those? [y/N] `
        if (isAsked && !(await isSure('rotate', shell, question, signal))) throw new Failure('nothing has changed.', exitCodes.findings)
        const isDone = !isIdle && (options.yes === true || isAsked)
        if (isAsked) await refuseOther(store.db.rotate(schema, { dryRun: true, signal }), { add, drop })
        const done = isDone ? await store.db.rotate(schema, { signal }) : { add, drop }
        const json = (ranges: typeof add): readonly object[] => ranges.map((range) => rangeJson(schema, range))
        if (options.json) return shell.printJson({ table: schema.name, add: json(done.add), drop: json(done.drop), isDone })
        if (!isIdle) shell.tell(isDone ? `'${schema.name}' has these ranges now.` : 'Nothing has changed. Give --yes to do it.')
      })
    })
  return withExample(withStoreOptions(command), 'rowkey rotate metrics --url kudu://host:7051')
}

/** Nobody has confirmed what a rotation would drop by now, for example on the next day. */
async function refuseOther(now: Promise<RangeChanges>, confirmed: RangeChanges): Promise<void> {
  if (inspect(await now, { depth: null }) === inspect(confirmed, { depth: null })) return
  throw new Failure('nothing has changed: by now it would add or drop other ranges. Call it again.', exitCodes.findings)
}
