import { Option, type Command } from 'commander'
import { printable } from 'rowkey/internal'
import { exitCodes, Failure } from '../failure.js'
import { decodeStream } from '../keys/decode-stream.js'
import { answersOf, FindSum, type Answer } from '../keys/answers.js'
import { decoderOf, partsOf, type Target, type Verdict } from '../keys/decode-key.js'
import { keyForms, notText, type KeyForm } from '../keys/key-forms.js'
import { PasteReader, type PasteOptions } from '../keys/paste-reader.js'
import { printingStores } from '../keys/stored-key.js'
import { jsonOf, keyLines, linesOfAll } from '../keys/verdict-text.js'
import type { LoadedModel } from '../load/load-models.js'
import type { Shell } from '../shell.js'
import { table } from '../text/table.js'
import { wrap } from '../text/wrap.js'
import { modelsOf, withExample, withModels, type ModelOptions } from './options.js'

type Options = ModelOptions & { readonly from?: KeyForm; readonly store?: string; readonly find?: true; readonly parts?: true }

/** `rowkey decode` */
export function decodeCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Prints the values in rowkeys, as people paste them: hexadecimal digits, \\xHH of the HBase shell, base64, the JSON of aws dynamodb, rows of the HBase ' +
        "shell, redis-cli and cqlsh, <Buffer …>, X'…', hexdump and xxd. What cannot be read is told, with exit code 1.",
    )
    .argument('[model]', 'a table or a class; by default every one is tried')
    .argument('[key...]', 'rowkeys; by default lines of stdin')
    .addOption(new Option('--from <form>', 'the one form that keys have').choices(keyForms))
    .addOption(new Option('--store <name>', 'the store whose tools printed the keys').choices(printingStores))
    .option('--find', 'look for keys inside lines, such as those of a log')
    .option('--parts', 'also print the parts of each key')
    .action(async (first: string | undefined, others: readonly string[], options: Options) => {
      if (options.parts && options.json) throw new Failure('--json has no parts, so --parts has no effect. Leave one of them out.')
      const models = await modelsOf(options, shell)
      const named = models.find(({ schema }) => schema.name === first) ?? models.find(({ name }) => name === first)
      const keys = named === undefined && first !== undefined ? [first, ...others] : others
      const target: Target = named === undefined ? { any: models.map(({ schema }) => decoderOf(schema)) } : { one: decoderOf(named.schema) }
      const refused = keys.length > 0 ? await decodeAll(shell, keys, target, options) : await decodeLines(shell, target, options, models)
      if (refused > 0) shell.exitCode = exitCodes.findings
    })
  return withExample(
    withModels(command),
    'rowkey decode 0c7765622d3100007ffffe64892557ff',
    'echo "scan \'logs\'" | hbase shell -n | rowkey decode logs',
  )
}

/** Keys of a pipe. Resolves to how many are none. */
async function decodeLines(shell: Shell, target: Target, options: Options, models: readonly LoadedModel[]): Promise<number> {
  if (shell.stdin.isTTY) {
    const names = models.map(({ schema }) => schema.name).join(', ')
    throw new Failure(`give rowkeys as arguments, or pipe them in, one a line. The tables are: ${names}.`)
  }
  if (options.parts) throw new Failure('--parts is for keys that are arguments.')
  return decodeStream(shell, { target, ...pasteOptions(options), isJson: options.json === true })
}

function pasteOptions({ from, store, find }: Options): PasteOptions {
  if (from !== undefined && store !== undefined)
    throw new Failure('--from is for keys that are text alone, and --store for what tools of a store print. Give one of them.')
  if (from !== undefined && find) throw new Failure('--find looks for keys of every form, so --from has no effect. Leave one of them out.')
  return { from, store, isFind: find === true }
}

/** Keys that are arguments, each with all that is known about it. Resolves to how many are none. */
async function decodeAll(shell: Shell, texts: readonly string[], target: Target, options: Options): Promise<number> {
  const { colors, width } = shell
  const isNamed = 'one' in target
  const paint = (text: string, isKey: boolean): string => (isKey ? colors.green(text) : colors.dim(text))
  const paste = pasteOptions(options)
  let refused = 0
  const answers = texts.flatMap((given) => {
    const reader = new PasteReader(paste)
    const sum = new FindSum(options.find === true)
    const lines = [...given.split('\n').map((line) => reader.push(line)), reader.end()]
    const all = lines.flatMap((each) => sum.chosen(reader.lines, answersOf(target, each)))
    return all.length > 0 ? all : [noneIn(given, options.find === true)]
  })
  for (const [number, { text, reading, found, isKey }] of answers.entries()) {
    if (!isKey) refused++
    if (options.json) {
      await shell.print(`${jsonOf(target, text, reading, found)}\n`)
      continue
    }
    const lines = isNamed && isKey ? keyLines(target, found) : linesOfAll(reading, found, paint)
    const shown = answers.length > 1 && !isNamed ? [`${number > 0 ? '\n' : ''}${printable(text, width)}`, ...lines] : lines
    const wrapped = [
      ...shown.flatMap((each) => wrap(each, width, '    ')),
      ...(options.parts ? found.flatMap((verdict) => partLines(verdict, shell)) : []),
    ]
    if (isKey) await shell.print(`${wrapped.join('\n')}\n`)
    else shell.tell(`${isNamed || answers.length === 1 ? `${printable(text, width)}\n` : ''}${wrapped.join('\n')}`)
  }
  return refused
}

/** An argument is meant to be a key. */
const noneIn = (text: string, isFind: boolean): Answer => ({
  line: 1,
  text,
  reading: { fault: isFind ? 'nothing in it looks like a key' : notText },
  found: [],
  isKey: false,
})

/** The parts of a key as a table takes it, if there is one, and up to the fault otherwise. */
function partLines({ decoder, key }: Verdict, { colors, width }: Shell): readonly string[] {
  const parts = partsOf(decoder.schema, key.bytes)
  const head = ['offset', 'bytes', 'column', 'hex']
  const rows = parts.map(({ name, offset, length, hex }) => [String(offset), String(length), name === '' ? '(after the key)' : name, hex])
  return ['', colors.bold(decoder.schema.name), ...table([head, ...rows], width, (cell, row) => (row === 0 ? colors.dim(cell) : cell))]
}
