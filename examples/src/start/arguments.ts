import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { epochNanoseconds, isoNanoseconds, type Unit } from './instant.js'

export interface Arguments {
  readonly input: string
  /** The folder of a durable store; none: in memory. */
  readonly path: string | undefined
  readonly json: boolean
  readonly strict: boolean
  /** Epoch nanoseconds. */
  readonly from: bigint | undefined
  readonly to: bigint | undefined
}

/** Something is wrong with the file: shown without a stack. */
export class InputError extends Error {}

/** Something is wrong with the options: shown with the usage. */
export class UsageError extends InputError {}

export const usage = `Loads a log into two tables and queries them.

  npx -y pnpm@12 start [--input FILE] [--store lmdb --path DIR] [--from TIME] [--to TIME] [--strict] [--json]

  --input FILE  CSV (RFC 4180, UTF-8, also .gz) with a header line and these columns, in any order:
                  host, event  texts; they may be empty
                  ts           ISO 8601, UTC if no zone is given; or epochs in s, ms, us or ns, also with decimals:
                               the size of the numbers tells the unit
                  ts_s, ts_ms, ts_us, ts_ns
                               instead of ts: epochs in this unit
                  seq          optional, unsigned; without it the number of the record in the file
                The tables count in milliseconds, or in microseconds or nanoseconds if the first 1,000 records
                need them.
                Other columns are kept as text. Default: the log of a database cluster that comes with
                the project.
  --store       memory (the default): the rows go with this process. Or lmdb: they stay in the folder --path,
                and the next start over it finds them.
  --path        for --store lmdb: a folder of its own, which is made if it is not there
  --from, --to  the window of time, from inclusive, to exclusive: epoch milliseconds, an epoch
                with its unit (1521911720.6s, …ms, …us, …ns), or ISO 8601. Default: the middle tenth of the log.
  --strict      exit code 1 if a record is malformed or has the key of another; without it, only if
                no record could be stored
  --json        one JSON document instead of the tour`

const bundled = fileURLToPath(new URL('../../data/server-logs.csv.gz', import.meta.url))

/** @throws UsageError */
export function readArguments(args: readonly string[]): Arguments | 'help' {
  const { input, json, strict, from, to, help, store, path } = parse(args)
  if (help === true) return 'help'
  const file = input ?? bundled
  if (!existsSync(file)) throw new InputError(`There is no file ${file}.`)
  const window = { from: instant('--from', from), to: instant('--to', to) }
  if (window.from !== undefined && window.to !== undefined && window.from > window.to) throw new UsageError('--from is after --to.')
  return { input: file, path: folder(store, path), json: json === true, strict: strict === true, ...window }
}

function folder(store: string | undefined, path: string | undefined): string | undefined {
  if (store !== undefined && store !== 'memory' && store !== 'lmdb') throw new UsageError(`--store is memory or lmdb, not '${store}'.`)
  if (store === 'lmdb' && path === undefined) throw new UsageError('--store lmdb needs a folder: --path DIR.')
  if (store !== 'lmdb' && path !== undefined) throw new UsageError('--path is for --store lmdb.')
  return path
}

function parse(args: readonly string[]): ReturnType<typeof parseOptions>['values'] {
  try {
    return parseOptions(joinNegative(args)).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** `--from -5` as `--from=-5`: parseArgs takes a leading dash for the next option. */
function joinNegative(args: readonly string[]): readonly string[] {
  return args.reduce<string[]>(
    (joined, arg) =>
      /^-[\d.]+(s|ms|us|ns)?$/.test(arg) && joined.length > 0
        ? [...joined.slice(0, -1), `${joined.at(-1) ?? ''}=${arg}`]
        : [...joined, arg],
    [],
  )
}

function parseOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      input: { type: 'string' },
      json: { type: 'boolean' },
      strict: { type: 'boolean' },
      from: { type: 'string' },
      to: { type: 'string' },
      store: { type: 'string' },
      path: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
}

function instant(option: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const [, epoch, unit = 'ms'] = /^(-?[\d.]+)(s|ms|us|ns)?$/.exec(text) ?? []
  try {
    return epoch === undefined ? isoNanoseconds(text) : epochNanoseconds(epoch, unit as 's' | Unit)
  } catch {
    throw new UsageError(`${option} takes epoch milliseconds, an epoch with its unit (1521911720.6s) or ISO 8601, not '${text}'.`)
  }
}
