import { Option, type Command } from 'commander'
import { toEscapedText, toHex, type Value } from 'rowkey/codec'
import { values } from 'rowkey/internal'
import { decoderOf } from '../keys/decode-key.js'
import { keyText, type KeyForm } from '../keys/key-forms.js'
import { keyColumns, keyOfPairs } from '../keys/key-of-values.js'
import { computedIn } from '../values/computed-in.js'
import type { Shell } from '../shell.js'
import { chosenModel, withExample, withModels, type ModelOptions } from './options.js'

type Options = ModelOptions & { readonly as: KeyForm | 'json' }

/** `rowkey encode` */
export function encodeCommand(command: Command, shell: Shell): Command {
  command
    .description('Prints the rowkey of values.')
    .argument('<model>', 'a table or a class')
    .argument('<column=value...>', 'all key columns, of which those of period() may be left out; times are UTC unless they have a zone')
    .addOption(new Option('--as <form>', 'how to print it').choices(['hex', 'escaped', 'base64', 'json']).default('hex'))
    .action(async (name: string, pairs: readonly string[], options: Options) => {
      const { schema } = await chosenModel(name, options, shell)
      const given = keyOfPairs(schema, pairs)
      const key = keyColumns(schema).map(({ name, type }): Value => (name in given ? values(type, name).toValue(given[name]) : null))
      computedIn(schema)?.fill(key)
      const bytes = schema.layout.rowkey(key)
      if (options.as !== 'json' && !options.json) return shell.print(`${keyText(bytes, options.as)}\n`)
      const { json } = decoderOf(schema)
      const forms = { hex: toHex(bytes), escaped: toEscapedText(bytes), base64: keyText(bytes, 'base64') }
      return shell.printJson({ table: schema.name, key: JSON.parse(`{${json(key)}}`) as unknown, bytes: bytes.length, ...forms })
    })
  return withExample(withModels(command), 'rowkey encode logs host=web-1 at=2026-01-01T00:00:00Z')
}
