import { Option, type Command } from 'commander'
import { printable } from 'rowkey/internal'
import { exitCodes, Failure } from '../failure.js'
import { decodeStream } from '../keys/decode-stream.js'
import { decoderOf, partsOf, verdicts, type Target, type Verdict } from '../keys/decode-key.js'
import { keyForms, readKey, type KeyForm } from '../keys/key-forms.js'
import { readLine } from '../keys/shell-lines.js'
import { jsonOf, keyLines, linesOfAll } from '../keys/verdict-text.js'
import type { LoadedModel } from '../load/load-models.js'
import type { Shell } from '../shell.js'
import { table } from '../text/table.js'
import { wrap } from '../text/wrap.js'
import { modelsOf, withExample, withModels, type ModelOptions } from './options.js'

type Options = ModelOptions & { readonly from?: KeyForm; readonly parts?: true }

/** `rowkey decode` */
export function decodeCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Prints the values in rowkeys: hexadecimal digits, \\xHH as the HBase shell prints it, or base64. ' +
        'From a pipe it also reads what scan of the HBase shell and redis-cli --no-raw print. Exit code 1: a key is none of any table.',
    )
    .argument('[model]', 'a table or a class; by default every one is tried')
    .argument('[key...]', 'rowkeys; by default lines of stdin')
    .addOption(new Option('--from <form>', 'the one form that keys have').choices(keyForms))
    .option('--parts', 'also print the parts of each key')
    .action(async (first: string | undefined, others: readonly string[], options: Options) => {
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
async function decodeLines(shell: Shell, target: Target, { from, json, parts }: Options, models: readonly LoadedModel[]): Promise<number> {
  if (shell.stdin.isTTY) {
    const names = models.map(({ schema }) => schema.name).join(', ')
    throw new Failure(`give rowkeys as arguments, or pipe them in, one a line. The tables are: ${names}.`)
  }
  if (parts) throw new Failure('--parts is for keys that are arguments.')
  return decodeStream(shell, { target, from, isJson: json === true })
}

/** Keys that are arguments, each with all that is known about it. Resolves to how many are none. */
async function decodeAll(shell: Shell, texts: readonly string[], target: Target, { from, json, parts }: Options): Promise<number> {
  const { colors, width } = shell
  const isNamed = 'one' in target
  const paint = (text: string, isKey: boolean): string => (isKey ? colors.green(text) : colors.dim(text))
  let refused = 0
  for (const [number, text] of texts.entries()) {
    const line = from === undefined ? readLine(text) : readKey(text, from)
    const found = verdicts(target, line === 'nothing' ? [] : line)
    const isKey = found.some(({ row }) => row !== undefined)
    if (!isKey) refused++
    if (json) {
      await shell.print(`${jsonOf(target, text, found)}\n`)
      continue
    }
    const lines = isNamed && isKey ? keyLines(target, found) : linesOfAll(found, paint)
    const shown = texts.length > 1 && !isNamed ? [`${number > 0 ? '\n' : ''}${printable(text, width)}`, ...lines] : lines
    const wrapped = [
      ...shown.flatMap((each) => wrap(each, width, '    ')),
      ...(parts ? found.flatMap((verdict) => partLines(verdict, shell)) : []),
    ]
    if (isKey) await shell.print(`${wrapped.join('\n')}\n`)
    else shell.tell(`${isNamed || texts.length === 1 ? `${printable(text, width)}\n` : ''}${wrapped.join('\n')}`)
  }
  return refused
}

/** The parts of a key as a table takes it, if there is one, and up to the fault otherwise. */
function partLines({ decoder, key }: Verdict, { colors, width }: Shell): readonly string[] {
  const parts = partsOf(decoder.schema, key.bytes)
  const head = ['offset', 'bytes', 'column', 'hex']
  const rows = parts.map(({ name, offset, length, hex }) => [String(offset), String(length), name === '' ? '(after the key)' : name, hex])
  return ['', colors.bold(decoder.schema.name), ...table([head, ...rows], width, (cell, row) => (row === 0 ? colors.dim(cell) : cell))]
}
