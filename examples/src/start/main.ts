import { createMapper, memory } from 'rowkey'
import { SingleBar } from 'cli-progress'
import { InputError, readArguments, usage, UsageError, type Arguments } from './arguments.js'
import { load, type Loaded } from './load.js'
import { LogTimeline } from './models.js'
import { openLog } from './read-log.js'
import { report } from './report.js'
import { withTextColumns } from './text-columns.js'
import { Tour } from './tour.js'

/** Runs the job; the result is the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args)
  if (options === 'help') {
    console.log(usage)
    return 0
  }
  const progress = progressBar()
  const log = await openLog(options.input, progress.update)
  const LogEvent = withTextColumns(log.textColumns)
  const db = createMapper(memory())
  await db.ensureTables([LogEvent, LogTimeline])
  const [events, timeline] = [db.repository(LogEvent), db.repository(LogTimeline)]
  const loaded = await load(log, events, timeline).finally(progress.stop)
  const result = await report(loaded, events, timeline, options.from, options.to)
  if (options.json) console.log(JSON.stringify(result))
  else
    await new Tour(console.log, process.stdout.isTTY && !('NO_COLOR' in process.env)).run(options.input, loaded, result, events, timeline)
  return verdict(options, loaded)
}

/** A bar on stderr while the file is read; nothing where nobody looks. */
function progressBar(): { update: (fraction: number) => void; stop: () => void } {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined }
  const bar = new SingleBar({
    format: '{bar} {percentage}%  {duration_formatted}',
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

/** With --json the problems go to stderr, so that stdout stays one document. */
function verdict({ json, strict }: Arguments, { malformed, malformedSamples, conflicts, conflictSamples }: Loaded): number {
  if (json) {
    for (const { line, reason } of malformedSamples) console.error(`line ${line}: ${reason}`)
    for (const { line, reason } of conflictSamples) console.error(`line ${line}: ${reason}`)
    if (conflicts > 0) console.error(`${conflicts} records have the key of another and were not stored`)
  }
  return strict && malformed + conflicts > 0 ? 1 : 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof InputError)) throw error
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error.message)
  process.exitCode = 2
}
