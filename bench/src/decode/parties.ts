import { fork, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Keys } from './keys.js'

/** Decodes all keys `passes` times, and resolves to the milliseconds that this took, without the time to start. */
export type Party = (keys: Keys, passes: number, patience: number) => Promise<number>

const command = (): string => fileURLToPath(new URL('main.js', import.meta.resolve('@rowkey/cli')))
const byHand = fileURLToPath(new URL('by-hand.js', import.meta.url))

/** Programs that read a pipe, by their arguments. */
const programs: ReadonlyMap<string, (models: string) => readonly string[]> = new Map([
  ['rowkey decode', (models: string) => [command(), 'decode', 'logs', '--models', models]],
  ['program by hand', () => [byHand]],
])

/** All parties, the one that the others are compared with first. */
export const parties: ReadonlyMap<string, Party> = new Map([
  ...[...programs].map(([name, args]) => [name, piped(args)] as const),
  ['codec, from hex', alone('hex')],
  ['codec, from bytes', alone('bytes')],
])

/** A program that reads a pipe. Its time is that for all keys less that for one key. */
function piped(args: (models: string) => readonly string[]): Party {
  return async ({ models, many, one }, passes, patience) => {
    const time = async (files: readonly string[]): Promise<number> => {
      const began = performance.now()
      await ended(start(args(models), files, 'ignore', patience))
      return performance.now() - began
    }
    const toStart = await time([one])
    return (await time(Array.from({ length: passes }, () => many))) - toStart
  }
}

/** @throws Error unless all programs write the same for the keys */
export async function checkOutputs({ models, many }: Keys, patience: number): Promise<void> {
  const outputs = new Set<string>()
  for (const args of programs.values()) {
    const child = start(args(models), [many], 'pipe', patience)
    const hash = createHash('sha256')
    child.stdout?.on('data', (chunk: Buffer) => hash.update(chunk))
    await ended(child)
    outputs.add(hash.digest('hex'))
  }
  if (outputs.size !== 1) throw new Error(`${[...programs.keys()].join(' and ')} do not write the same.`)
}

function start(args: readonly string[], files: readonly string[], output: 'pipe' | 'ignore', patience: number): ChildProcess {
  const signal = AbortSignal.timeout(patience)
  const source = spawn('cat', files, { stdio: ['ignore', 'pipe', 'inherit'], signal })
  return spawn(process.execPath, args, { stdio: [source.stdout, output, 'inherit'], signal })
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`)
}

/** The codec in a process of its own, which measures itself. */
function alone(from: 'hex' | 'bytes'): Party {
  return async ({ models, many }, passes, patience) => {
    const signal = AbortSignal.timeout(patience)
    const child = fork(new URL('worker.js', import.meta.url), [models, many, from, String(passes)], { signal })
    const [milliseconds] = (await once(child, 'message', { signal })) as [number]
    await once(child, 'close')
    return milliseconds
  }
}
