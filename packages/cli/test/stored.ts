import { bool, bucket, bytes, date, decimal, desc, float64, int32, int64, json, nullable, text, timestamp, uuid } from 'rowkey/codec'
import { defineTable } from 'rowkey'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { ended, node, plainEnv, program, started, type Ended, type Project } from './command.js'

const columns = {
  host: text(),
  at: desc(timestamp('ms')),
  n: int32(),
  big: int64(),
  us: nullable(timestamp('us')),
  ns: nullable(timestamp('ns')),
  day: nullable(date()),
  price: decimal(20, 3),
  score: float64(),
  raw: nullable(bytes()),
  id: uuid(),
  isPaid: bool(),
  data: nullable(json()),
  note: nullable(text()),
}
const key = ['host', 'at', 'n'] as const
const salt = bucket({ of: 'host', count: 4 })

/** A table with a column of every sort, whose rows expire and have versions. */
const Everything = defineTable('everything', { columns, key, salt, ttl: '30d', version: 'rev' })

/** The same for stores that have neither. */
const Plain = defineTable('everything', { columns, key, salt })

const scores = ['NaN', 'Infinity', '-Infinity', '-0', 0.1, 1e300]

/** Rows of it as text, in no order. */
export const rowsOf = (count: number): string =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      host: `web-${n % 7}`,
      at: new Date(1_767_225_600_000 + (n % 50) * 1001).toISOString(),
      n,
      big: String(2n ** 62n + BigInt(n)),
      us: n % 3 === 0 ? null : '2026-01-01T00:00:00.000001Z',
      ns: n % 4 === 0 ? null : '1969-12-31T23:59:59.999999999Z',
      day: n % 5 === 0 ? null : '2026-02-28',
      price: `${n}.125`,
      score: scores[n % scores.length],
      raw: n % 2 === 0 ? null : `0x00${(n % 256).toString(16).padStart(2, '0')}`,
      id: `018f3a5e-7d21-7c4a-9b12-${n.toString(16).padStart(12, '0')}`,
      isPaid: n % 2 === 0,
      data: n % 6 === 0 ? null : { ä: [n, null, { '𝒳': 'a "b"' }] },
      note: n % 7 === 0 ? null : 'null\n€ \u0001',
      $expires: n % 3 === 0 ? null : new Date(2_000_000_000_000 + n).toISOString(),
    }),
  )
    .map((line) => `${line}\n`)
    .join('')

/** The same rows, which do not expire. */
export const plainRowsOf = (count: number): string => rowsOf(count).replaceAll(/,"\$expires":(?:null|"[^"]*")/g, '')

/** The files of a project with the table for stores that have neither expiry nor versions. */
export const withPlain: Readonly<Record<string, string>> = {
  'models.json': JSON.stringify([Plain]),
  'rowkey.config.json': '{ "models": ["models.json"] }',
}

/** The files of a project with that table. */
export const withEverything: Readonly<Record<string, string>> = {
  'models.json': JSON.stringify([Everything]),
  'rowkey.config.json': '{ "models": ["models.json"] }',
}

/** Rows as data, in an order of their own. */
export const sorted = (lines: string): readonly unknown[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly n: number })
    .sort((a, b) => a.n - b.n)

/** What a checkpoint says; undefined if there is none. */
export const stateIn = ({ path }: Project, file: string): Readonly<Record<string, unknown>> | undefined =>
  existsSync(path(file))
    ? (JSON.parse(readFileSync(path(file), 'utf8')) as { readonly state: Readonly<Record<string, unknown>> }).state
    : undefined

/** Runs the command until a file exists, or until something else is so, and then does something to it, such as sending a signal. */
export async function struck(
  { folder, path }: Project,
  args: readonly string[],
  until: string | (() => boolean),
  strike: (child: ReturnType<typeof started>) => unknown,
): Promise<Ended> {
  const isUnderWay = typeof until === 'string' ? () => existsSync(path(until)) : until
  const child = started(folder, args)
  const end = ended(child)
  while (!isUnderWay() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5))
  await strike(child)
  return end
}

/** The same with a signal. */
export const interrupted = (
  shop: Project,
  args: readonly string[],
  until: string | (() => boolean),
  signal: NodeJS.Signals,
): Promise<Ended> => struck(shop, args, until, (child) => child.kill(signal))

/** What is on stderr but the lines of progress, which only slow machines show. */
export const withoutProgress = (stderr: string): string => stderr.replaceAll(/^\d+ (?:rows|lines) \w+\n/gm, '')

/** The arguments of a shell in which the folder `disk` is a disk of so many kilobytes; undefined if that cannot be had. */
export function smallDisk(disk: string, kilobytes: number): readonly string[] | undefined {
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const args = [...asRoot, '--mount', 'sh', '-c', `mount -t tmpfs -o size=${kilobytes}k tmpfs "$0" && ${onDisk}`, disk]
  return spawnSync('unshare', [...args, '0', 'true']).status === 0 ? args : undefined
}

/**
 * Runs the command, and shows what is on the disk afterwards. If a part of the disk is taken, it is then given back, the command runs again, and all
 * files of the disk are copied to where they can be read.
 */
const onDisk = `{
taken=$1; shift
[ $taken = 0 ] || head -c "$taken"k /dev/zero > "$0/taken"
"$@"; code=$?
ls -A "$0" >&2
[ $taken = 0 ] && exit $code
echo "then:" >&2
rm "$0/taken"
"$@"; second=$?
ls -A "$0" >&2
mkdir "$0.saved" && cp -R "$0/." "$0.saved"
exit $((code * 16 + second))
}`

/** Runs the command on that disk. */
export const onSmallDisk = (shell: readonly string[], folder: string, args: readonly string[]) =>
  spawnSync('unshare', [...shell, '0', node, program, ...args], { cwd: folder, env: plainEnv(), encoding: 'utf8' })

/** Runs the command on that disk twice: with so many kilobytes of it taken, and after they were given back. */
export function onFullDisk(
  shell: readonly string[],
  folder: string,
  taken: number,
  args: readonly string[],
): readonly [first: Pick<Ended, 'code' | 'stderr'>, second: Pick<Ended, 'code' | 'stderr'>] {
  const all = [...shell, String(taken), node, program, ...args]
  const { status, stderr } = spawnSync('unshare', all, { cwd: folder, env: plainEnv(), encoding: 'utf8' })
  const [before = '', after = ''] = stderr.split('then:\n')
  const code = status ?? -1
  return [
    { code: code >> 4, stderr: withoutProgress(before) },
    { code: code % 16, stderr: withoutProgress(after) },
  ]
}
