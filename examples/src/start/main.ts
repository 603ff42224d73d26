import { createMapper, isRowkeyError, type Mapper, type ModelClass } from 'rowkey'
import { SingleBar } from 'cli-progress'
import { InputError, readArguments, usage, UsageError, type Arguments } from './arguments.js'
import { cut, plural, visible } from './display.js'
import { load, type Loaded } from './load.js'
import { modelsOf } from './fine-models.js'
import { Output, OutputError } from './output.js'
import { openStore } from './open-store.js'
import { openLog } from './read-log.js'
import { report } from './report.js'
import { withTextColumns } from './text-columns.js'
import { Tour } from './tour.js'

const unknownWidth = 120 // of whatever is no terminal

/** Runs the job; the result is the exit code. */
async function main(args: readonly string[], output: Output): Promise<number> {
  const options = readArguments(args)
  if (options === 'help') {
    output.print(usage)
    return 0
  }
  const progress = progressBar()
  const log = await openLog(options.input, progress.update)
  const models = modelsOf(log.unit)
  const LogEvent = withTextColumns(models.LogEvent, log.textColumns)
  const { LogTimeline } = models
  const { adapter, isReused } = await openStore(options)
  const db = createMapper(adapter)
  await ensureTables(db, [LogEvent, LogTimeline])
  const [events, timeline] = [db.repository(LogEvent), db.repository(LogTimeline)]
  const loaded = await load(log, events, timeline, isReused).finally(progress.stop)
  const result = await report(loaded, events, timeline, options.from, options.to)
  if (options.json) output.print(JSON.stringify(result))
  else {
    const { isTTY, columns } = process.stdout
    const screen = { colour: isTTY && !('NO_COLOR' in process.env), width: (isTTY && columns) || unknownWidth }
    const print = (text: string): void => {
      output.print(text)
    }
    await new Tour({ ...screen, print }).run(options.input, loaded, result, events, timeline, options.path)
  }
  await db.close()
  return verdict(options, loaded)
}

/** The tables of an earlier start may be of a log that needs other models. @throws InputError */
async function ensureTables(db: Mapper, models: readonly ModelClass[]): Promise<void> {
  try {
    await db.ensureTables(models)
  } catch (error) {
    if (!isRowkeyError(error, 'SCHEMA_MISMATCH')) throw error
    throw new InputError(`The folder has the tables of another log. Choose another --path.\n${error.message}`)
  }
}

/** A bar on stderr while the file is read; nothing where nobody looks. */
function progressBar(): { update: (fraction: number) => void; stop: () => void } {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined }
  const bar = new SingleBar({
    format: 'Loading  {bar}  {percentage}%  {duration_formatted}',
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  })
  bar.start(1, 0)
  return {
    update: (fraction) => {
      bar.update(fraction)
    },
    stop: () => {
      bar.stop()
    },
  }
}

/** The exit code. With --json the problems go to stderr, so that stdout stays one document. */
function verdict({ json, strict }: Arguments, { rows, malformed, malformedSamples, conflicts, conflictSamples }: Loaded): number {
  if (json) {
    for (const { line, reason } of [...malformedSamples, ...conflictSamples]) console.error(`line ${line}: ${cut(visible(reason), 300)}`)
    if (conflicts > 0) console.error(`${plural(conflicts, 'record')} not stored: the key of another`)
  }
  const isAnyLost = malformed + conflicts > 0
  return isAnyLost && (strict || rows === 0) ? 1 : 0
}

try {
  const output = new Output(process.stdout)
  const code = await main(process.argv.slice(2), output)
  await output.finish()
  process.exitCode = code
} catch (error) {
  if (!(error instanceof InputError || error instanceof OutputError)) throw error
  const message = error.message.split('\n').map(visible).join('\n')
  console.error(error instanceof UsageError ? `${message}\n\n${usage}` : message)
  process.exitCode = 2
}
