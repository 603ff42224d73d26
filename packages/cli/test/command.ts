import { bool, bucket, bytes, date, decimal, desc, int64, nullable, text, timestamp, uint32, uuid } from 'rowkey/codec'
import { defineTable } from 'rowkey'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { Readable, Writable } from 'node:stream'
import { plainEnv } from '../../../test/kit/plain-env.js'
import { canBeRefused, withoutRights } from '../../../test/kit/rights.js'
import { build } from '../../../test/setup/build.js'
import { run } from '../src/run.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The program that npm links as `rowkey`. */
export const program: string = join(root, 'packages/cli/dist/main.js')

/** The Node.js that runs the command: that of the tests, or another one whose path the environment says. */
export const node: string = process.env['ROWKEY_TEST_NODE'] ?? process.execPath

/** What one run of the command has done. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder as a user has it, with models and rowkey installed. */
export interface Project {
  readonly folder: string
  /** The absolute path of a file. */
  path(name: string): string
  write(name: string, text: string): void
  /** Runs the command in the folder, in this process. */
  rowkey(args: readonly string[], options?: RunOptions): Promise<Ended>
}

/** What a run gets besides its arguments. */
interface RunOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly folder?: string
  /** Whether the command is a process, in pipes; by default if the environment says another Node.js. */
  readonly isProcess?: boolean
  /** Whether permissions of files also hold if the tests are run by root, where {@link canBeRefused}. */
  readonly isRefusable?: boolean
}

export { canBeRefused, plainEnv }

/** Files of tests share a worker, and even a build that is up to date takes a second. */
let isBuilt = false

/** Builds the command once, and makes a project that goes with the test file. */
export function project(files: Readonly<Record<string, string>> = {}): Project {
  const folder = mkdtempSync(join(tmpdir(), 'rowkey-cli-'))
  const path = (name: string): string => join(folder, name)
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  mkdirSync(path('node_modules/@rowkey'), { recursive: true })
  symlinkSync(join(root, 'packages/rowkey'), path('node_modules/rowkey'))
  write('package.json', JSON.stringify({ name: 'shop', type: 'module' }))
  for (const [name, text] of Object.entries(files)) write(name, text)
  beforeAll(() => {
    if (!isBuilt) build('packages/cli', 'packages/rowkey')
    isBuilt = true
  }, 300_000)
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    path,
    write,
    rowkey(
      args,
      { input = '', env, folder: inFolder = folder, isRefusable = false, isProcess = isRefusable || node !== process.execPath } = {},
    ) {
      const given = { input, env: plainEnv(env), folder: inFolder }
      return isProcess ? asProcess(args, given, isRefusable ? withoutRights : []) : inWorker(args, given)
    },
  }
}

interface Given {
  readonly input: string | Uint8Array
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
}

/** Runs the command here: what it loads is loaded once for all tests. */
async function inWorker(args: readonly string[], { input, env, folder }: Given): Promise<Ended> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  const stdin = Readable.from(input.length === 0 ? [] : [Buffer.from(input)])
  const code = await run(args, { stdin, stdout: into(stdout), stderr: into(stderr), env, folder })
  return { code, stdout: String(Buffer.concat(stdout)), stderr: String(Buffer.concat(stderr)) }
}

const into = (chunks: Buffer[]): Writable =>
  new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk)
      done()
    },
  })

/** Runs the command as a process. This one goes on in the meantime, with what it serves. */
async function asProcess(args: readonly string[], { input, env, folder }: Given, before: readonly string[] = []): Promise<Ended> {
  const [first = node, ...rest] = [...before, node, program, ...args]
  const child = spawn(first, rest, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const end = ended(child)
  child.stdin.end(input)
  return end
}

/** Models of which most tests speak: logs with a salt, orders with a partition, events without both. */
const tables = [
  defineTable('logs', {
    columns: { host: text(), at: desc(timestamp('ms')), level: nullable(uint32()), line: text() },
    key: ['host', 'at'],
    salt: bucket({ of: 'host', count: 16 }),
  }),
  defineTable('orders', {
    columns: { buyer: uuid(), day: desc(date()), no: text(), price: decimal(9, 2), paid: bool() },
    partition: ['buyer'],
    key: ['day', 'no'],
  }),
  defineTable('events', { columns: { n: int64(), t: timestamp('us'), b: bytes(), v: text() }, key: ['n', 't', 'b'] }),
]

/** The files of a project with them as JSON, which is read without another process. */
export const withTables: Readonly<Record<string, string>> = {
  'models.json': JSON.stringify(tables),
  'rowkey.config.json': '{ "models": ["models.json"] }',
}

/** Writes to the command while it runs, and reads from it. */
export function started(folder: string, args: readonly string[]): ReturnType<typeof spawn> {
  return spawn(node, [program, ...args], { cwd: folder, env: plainEnv(), stdio: ['pipe', 'pipe', 'pipe'] })
}

/** What a started command has done when it has ended. This process goes on in the meantime, with what it serves. */
export async function ended(child: ReturnType<typeof started>): Promise<Ended> {
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => (text[name] += chunk))
  }
  child.stdin?.on('error', () => undefined) // it may not want all of its input
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...text }
}
