import type { Command } from 'commander'
import { describeLayout, type LayoutDescription, type LayoutPart } from '../layout/describe-layout.js'
import { ruler } from '../layout/ruler.js'
import type { Shell } from '../shell.js'
import { table } from '../text/table.js'
import { folded, wrap } from '../text/wrap.js'
import { chosenModels, withExample, withModels, type ModelOptions } from './options.js'

type Paint = (text: string, part: number) => string

/** One colour for each part of a key, in turn. */
function painter(colors: Shell['colors']): Paint {
  const hues = [colors.cyan, colors.yellow, colors.magenta, colors.green, colors.blue]
  return (text, part) => (hues[part % hues.length] ?? colors)(text)
}

/** `rowkey layout` */
export function layoutCommand(command: Command, shell: Shell): Command {
  command
    .description('Shows the bytes of the keys of tables: a ruler, each column, and an example.')
    .argument('[model...]', 'tables or classes; all of them by default')
    .action(async (names: readonly string[], options: ModelOptions) => {
      const schemas = (await chosenModels(names, options, shell)).map(({ schema }) => schema)
      const layouts = schemas.map(describeLayout)
      if (options.json) await shell.printJson({ layouts: layouts.map((layout, at) => ({ ...layout, schema: schemas[at] })) })
      else await shell.print(`${layouts.map((layout) => linesOf(layout, shell).join('\n')).join('\n\n')}\n`)
    })
  return withExample(withModels(command), 'rowkey layout logs')
}

function linesOf(layout: LayoutDescription, { colors, width: columns }: Shell): readonly string[] {
  const paint = painter(colors)
  const label = (text: string, lines: readonly string[]): readonly string[] =>
    lines.map((line, at) => (at === 0 ? colors.dim(text.padEnd(indent.length)) : indent) + line)
  const { parts, example } = layout
  const rows = parts.map(({ name, role, offset, isOffsetFixed, width: bytes, order, end, type }) => [
    isOffsetFixed ? String(offset) : `${offset}+`,
    bytes === null ? 'varies' : String(bytes),
    role === 'partition' ? `${name} (partition)` : name,
    order ?? '',
    end.replace(/(..)(?=.)/g, '$1 '),
    type,
  ])
  const head = ['offset', 'bytes', 'column', 'order', 'end', 'type']
  const shown = table([head, ...rows], columns, (cell, row, column) =>
    row === 0 ? colors.dim(cell) : column === 2 ? paint(cell, row - 1) : cell,
  )
  return [
    `${colors.bold(layout.table)}: ${bytesText(layout)}${layout.buckets > 1 ? `, ${layout.buckets} buckets` : ''}`,
    '',
    ...ruler(layout, columns, paint),
    '',
    ...shown,
    '',
    ...label('example', wrap(example.line, columns - indent.length, '')),
    ...label('hex', hexLines(parts, columns - indent.length, paint)),
    ...label('escaped', folded(example.escaped.replaceAll(' ', String.raw`\x20`), /\\x..|./g, columns - indent.length)),
  ]
}

const indent = ' '.repeat('escaped  '.length)

/** The bytes of the parts, each in its colour, on as many lines as they need. */
function hexLines(parts: readonly LayoutPart[], columns: number, paint: Paint): readonly string[] {
  const words = parts.flatMap(({ hex }, part) => folded(hex, /../g, columns).map((text) => paint(text, part)))
  return wrap(words.join(' '), columns, '')
}

function bytesText({ minBytes, maxBytes }: LayoutDescription): string {
  if (minBytes === maxBytes) return `keys of ${minBytes} bytes`
  return maxBytes === null ? `keys of ${minBytes} bytes or more` : `keys of ${minBytes} to ${maxBytes} bytes`
}
