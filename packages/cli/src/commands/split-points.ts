import { Option, type Command } from 'commander'
import { createReadStream } from 'node:fs'
import { keyForms, keyText, type KeyForm } from '../keys/key-forms.js'
import { eachLine } from '../keys/lines.js'
import { readLine } from '../keys/shell-lines.js'
import { decoderOf, verdicts } from '../keys/decode-key.js'
import { bucketSplits, sampleSplits } from '../keys/split-points.js'
import type { TableSchema } from 'rowkey'
import { Failure, systemReason } from '../failure.js'
import type { Shell } from '../shell.js'
import { chosenModel, positive, withExample, withModels, type ModelOptions } from './options.js'

type Options = ModelOptions & { readonly count: number; readonly as: KeyForm; readonly sample?: string }

/** `rowkey split-points` */
export function splitPointsCommand(command: Command, shell: Shell): Command {
  command
    .description('Prints the rowkeys that cut a table into equal parts, one a line: one fewer than parts.')
    .argument('<model>', 'a table or a class')
    .requiredOption('--count <parts>', 'the number of parts', positive)
    .addOption(new Option('--as <form>', 'how to print them').choices(keyForms).default('escaped'))
    .option('--sample <file>', 'rowkeys of real rows, one a line, in a form that decode reads; - is stdin')
    .action(async (name: string, { count, as, sample, ...options }: Options) => {
      const { schema } = await chosenModel(name, options, shell)
      const points = sample === undefined ? bucketSplits(schema, count) : sampleSplits(await keysIn(shell, sample, schema), count)
      const texts = points.map((key) => keyText(key, as))
      if (options.json) await shell.printJson({ table: schema.name, parts: count, form: as, points: texts })
      else await shell.printLines(texts)
    })
  return withExample(withModels(command), 'rowkey split-points logs --count 4')
}

/** The keys of a file. @throws Failure for a line that is no key of the table */
async function keysIn(shell: Shell, file: string, schema: TableSchema): Promise<readonly Uint8Array[]> {
  const target = { one: decoderOf(schema) }
  const keys: Uint8Array[] = []
  let number = 0
  const onLine = (buffer: Buffer, from: number, to: number): void => {
    number++
    const line = readLine(buffer.toString('utf8', from, to))
    if (line === 'nothing') return
    const [verdict] = verdicts(target, line)
    if (verdict?.row === undefined)
      throw new Failure(
        `line ${number} of the sample is no key of '${schema.name}': ${verdict?.reason ?? ('fault' in line ? line.fault : '')}.`,
      )
    keys.push(verdict.key.bytes)
  }
  try {
    await eachLine(file === '-' ? shell.stdin : createReadStream(shell.path(file)), onLine, () => undefined)
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(`${file} cannot be read: ${systemReason(error)}.`, undefined, { cause: error })
  }
  return keys
}
