import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from './server.js'
import { temporaryFolder } from './temporary.js'

/** What to run, and how it is known to be ready. */
export interface DaemonOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
  /** Rejects while the server does not answer yet. */
  ready(): Promise<unknown>
  /** Milliseconds. */
  readonly patience?: number
}

/** How the servers end that are running when this process ends. One listener for all: runtimes warn about many. */
const ends = new Set<() => void>()
let isListening = false

function endAtExit(end: () => void): void {
  if (!isListening) {
    isListening = true
    // Before their folders are removed.
    process.prependOnceListener('exit', () => {
      for (const each of ends) each()
    })
  }
  ends.add(end)
}

/** Time for an orderly end, in milliseconds. */
const grace = 20_000

/** A child process that serves. Its output is in `server.log` of its folder. */
export class Daemon {
  private readonly child: ChildProcess
  private readonly exited: Promise<unknown>
  /** Whether somebody wants it to end. */
  private isEnding = false

  private constructor(child: ChildProcess) {
    this.child = child
    this.exited = once(child, 'exit')
    const end = (): void => void child.kill('SIGKILL')
    endAtExit(end)
    void this.exited.then(() => ends.delete(end))
  }

  static async start({ name, command, args, folder, env, ready, patience = 120_000 }: DaemonOptions): Promise<Daemon> {
    const log = join(folder, 'server.log')
    const output = openSync(log, 'a')
    const [program, ...words] = tied(command, args)
    const child = spawn(program as string, words, { cwd: folder, env: env ?? process.env, stdio: ['ignore', output, output] })
    closeSync(output)
    let failure: unknown
    child.once('error', (error) => (failure = error))
    const daemon = new Daemon(child)
    for (const until = Date.now() + patience; Date.now() < until && failure === undefined && child.exitCode === null;) {
      const isReady = await ready().then(
        () => true,
        () => false,
      )
      // What answers may be another process that took the port first; then this one has ended, or soon will.
      if (isReady && child.exitCode === null) {
        void daemon.exited.then(() => {
          if (!daemon.isEnding)
            console.error(`${name} has ended by itself, exit ${child.exitCode ?? child.signalCode}. It said:\n${endOf(log)}`)
        })
        return daemon
      }
      await sleep(50)
    }
    child.kill('SIGKILL')
    throw new Error(`${name} did not start (exit ${child.exitCode ?? 'none'}). It said:\n${endOf(log)}`, { cause: failure })
  }

  get pid(): number {
    return this.child.pid as number
  }

  /** As the server that it is, with its files in a folder. */
  control(folder: Folder): Pick<Server<unknown>, 'kill' | 'pause' | 'resume' | 'stop'> {
    return {
      kill: () => this.kill(),
      pause: () => this.signal('SIGSTOP'),
      resume: () => this.signal('SIGCONT'),
      stop: async () => {
        await this.stop()
        folder.remove()
      },
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal)
  }

  async kill(): Promise<void> {
    this.isEnding = true
    this.child.kill('SIGKILL')
    await this.ended()
  }

  async stop(): Promise<void> {
    this.isEnding = true
    this.child.kill('SIGCONT')
    this.child.kill('SIGTERM')
    const timer = setTimeout(() => this.child.kill('SIGKILL'), grace)
    await this.ended()
    clearTimeout(timer)
  }

  private async ended(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.exited
  }
}

const endOf = (log: string): string => readFileSync(log, 'utf8').slice(-4000)

/** On Linux the kernel ends the server when its starter is gone, even by SIGKILL. */
function tied(command: string, args: readonly string[]): readonly string[] {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => process.platform === 'linux' && existsSync(path))
  return setpriv === undefined ? [command, ...args] : [setpriv, '--pdeathsig', 'KILL', '--', command, ...args]
}

/** A folder for a server's files, and how it goes. */
export interface Folder {
  readonly path: string
  /** Deletes a temporary one. */
  remove(): void
}

export function folderFor(name: string, given: string | undefined): Folder {
  if (given !== undefined) {
    mkdirSync(given, { recursive: true })
    return { path: given, remove: () => undefined }
  }
  return temporaryFolder(`rowkey-${name}`)
}
