import type { Command } from 'commander'
import { existsSync, readFileSync } from 'node:fs'
import { exitCodes, Failure, systemReason } from '../failure.js'
import type { TableSchema } from 'rowkey'
import { compareWithLock, type ByteDifference, type ExamplePart, type Verdict } from '../lock/compare.js'
import { lockOf, readLock } from '../lock/lock-file.js'
import type { Shell } from '../shell.js'
import { writeWhole } from '../write-whole.js'
import { wrap } from '../text/wrap.js'
import { modelsOf, withExample, withModels, type ModelOptions } from './options.js'

type Options = ModelOptions & { readonly check?: true; readonly file: string }

/** `rowkey lock` */
export function lockCommand(command: Command, shell: Shell): Command {
  command
    .description(
      'Writes the key layouts of all models to a file for version control. With --check it writes nothing and fails with exit code 1 if a model has another layout, ' +
        'because stored rows would not be found, or if a table is not in the file.',
    )
    .option('--check', 'compare the models with the file')
    .option('--file <path>', 'the file', 'rowkey.lock.json')
    .action(async (options: Options) => {
      // Entries of an index are found by their keys, as rows are.
      const schemas = (await modelsOf(options, shell)).flatMap(({ schema }) => [schema, ...schema.indexes.map((index) => index.schema)])
      if (options.check) return check(shell, compareWithLock(locked(shell, options.file), schemas), options)
      const path = shell.path(options.file)
      const text = `${JSON.stringify(lockOf(schemas), undefined, 2)}\n`
      if (existsSync(path)) tellChanges(shell, options.file, schemas)
      writeWhole(path, options.file, text)
      if (options.json) return shell.printJson({ file: options.file, tables: schemas.map(({ name }) => name) })
      shell.tell(`${options.file}: ${schemas.length} table${schemas.length === 1 ? '' : 's'} locked`)
    })
  return withExample(withModels(command), 'rowkey lock --check')
}

/** The tables of a lock. @throws Failure */
function locked(shell: Shell, file: string): ReturnType<typeof readLock> {
  return readLock(readFile(shell.path(file), file), file)
}

function readFile(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${systemReason(error)}. Write it with rowkey lock.`, undefined, { cause: error })
  }
}

/** What rewriting a lock changes in it, so that nobody accepts a change unseen. */
function tellChanges(shell: Shell, file: string, schemas: readonly TableSchema[]): void {
  try {
    const verdicts = compareWithLock(locked(shell, file), schemas)
    for (const verdict of verdicts.filter(({ state }) => state !== 'same')) shell.tell(linesOf(verdict, shell, false).join('\n'))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    shell.tell(`rowkey: ${error.message}`)
    shell.tell('It is replaced.')
  }
}

async function check(shell: Shell, verdicts: readonly Verdict[], { json }: Options): Promise<void> {
  const isBroken = verdicts.some(({ state }) => state !== 'same' && state !== 'grown')
  if (isBroken) shell.exitCode = exitCodes.findings
  if (json) return shell.printJson({ isSame: !isBroken, tables: verdicts })
  await shell.printLines(verdicts.flatMap((verdict) => linesOf(verdict, shell, true)))
}

/** One table's verdict for a person. */
function linesOf(verdict: Verdict, shell: Shell, isChecked: boolean): readonly string[] {
  const { colors, width: columns } = shell
  const { table, state } = verdict
  switch (state) {
    case 'same':
      return [`${colors.green('✓')} ${table}: the key layout is the same`]
    case 'added':
      return wrap(
        `${isChecked ? colors.red('✗') : colors.green('+')} ${table}: it is not in the lock${isChecked ? ', so nothing guards its layout. Run rowkey lock.' : ' yet'}`,
        columns,
      )
    case 'grown':
      return wrap(`${colors.green('✓')} ${table}: it has more values, and the bytes of the others are the same`, columns)
    case 'removed':
      return wrap(`${colors.red('✗')} ${table}: no model has this table any more. If that is meant, run rowkey lock.`, columns)
    case 'changed':
      return [
        `${colors.red('✗')} ${colors.bold(table)}: the key layout has changed`,
        ...verdict.changes.flatMap(({ what, means }) => [
          ...wrap(`  ${what}`, columns, '    '),
          ...wrap(`    → ${means}`, columns, '      '),
        ]),
        ...differenceLines(verdict.bytes, shell),
      ]
  }
}

/** The bytes of both layouts, one above the other, with marks below what differs. */
function differenceLines({ line, before, after }: ByteDifference, { colors, width: columns }: Shell): readonly string[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))]
  const nameWidth = Math.max(...names.map((name) => name.length), 8)
  const text = (parts: readonly ExamplePart[], name: string): string =>
    parts
      .filter((part) => part.name === name)
      .map(({ hex }) => hex)
      .join(' ')
  const rows = names.flatMap((name) => {
    const [old, now] = [text(before, name), text(after, name)]
    const label = `    ${name.padEnd(nameWidth)}  `
    if (old === now) return wrap(`${label}  ${old}`, columns, ' '.repeat(label.length + 2))
    return [
      ...(old === '' ? [] : [colors.red(`${label}- ${old}`)]),
      ...(now === '' ? [] : [colors.green(`${old === '' ? label : ' '.repeat(label.length)}+ ${now}`)]),
    ]
  })
  return [...wrap(`  bytes of ${line}`, columns, '    '), ...rows]
}
