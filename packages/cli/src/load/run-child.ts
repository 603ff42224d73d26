// Tested by load-models.test.ts.
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { childProgram } from '../child-program.js'
import { Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { answers, type LoadMessage, type LoadRequest } from './messages.js'
import { shownFrom, type Shown } from './shown.js'

/** What ends the command from outside. */
const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Where models are loaded. What they print is on its stderr. */
export type Parent = Pick<Shell, 'folder' | 'env' | 'stderr' | 'host'>

/** The JSON of a model, not checked yet. */
export interface LoadedJSON {
  readonly file: string
  /** The name of its export. */
  readonly name: string
  readonly json: unknown
  /** Whether it is a decorated class. */
  readonly isClass?: boolean
}

/** What the process that loads models has answered. */
export interface Loaded {
  /** What the config exports, if one was asked for. */
  readonly config: unknown
  readonly models: readonly LoadedJSON[]
  /** Files without a model. */
  readonly empty: readonly string[]
}

/**
 * Imports files in a process of their own, which ends after so many seconds.
 *
 * @throws Failure that names the file
 */
export async function runChild(asked: Omit<LoadRequest, 'folder'>, seconds: number, parent: Parent): Promise<Loaded> {
  const { folder, env, stderr, host } = parent
  const request: LoadRequest = { ...asked, folder: resolve(folder) }
  const printed = stderr.fd ?? 'pipe'
  const child = spawn(process.execPath, [childProgram, JSON.stringify(request)], {
    cwd: folder,
    env,
    stdio: ['ignore', printed, printed, 'pipe'], // what models print is not data
  })
  for (const output of [child.stdout, child.stderr]) output?.pipe(stderr, { end: false })
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  // A module that never ends would outlive the command otherwise.
  const killBefore = (signal: NodeJS.Signals): void => {
    child.kill('SIGKILL')
    forget()
    host?.kill(host.pid, signal)
  }
  const forget = (): void => {
    for (const signal of signals) host?.off(signal, killBefore)
  }
  for (const signal of signals) host?.once(signal, killBefore)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  let text = ''
  const pipe = child.stdio[answers] as NodeJS.ReadableStream
  pipe.setEncoding('utf8')
  pipe.on('data', (part: string) => (text += part))
  const code = await ended
  clearTimeout(timer)
  forget()
  const messages = messagesIn(text)
  if (messages.some((message) => 'uncompiled' in message)) return runChild({ ...request, isCompiled: true }, seconds, parent)
  const fate = child.killed ? `does not end: it was stopped after ${seconds} seconds. Give more with --timeout` : fateOf(code)
  return resultOf(messages, fate, shownFrom(folder))
}

const fateOf = (code: number | null): string =>
  code === 13 ? 'waits at its top level for what never happens' : `ends the process with code ${code ?? 'of a signal'} when it is imported`

/** The answers, of which each is an object: a module may have written anything to the pipe. */
function messagesIn(text: string): readonly LoadMessage[] {
  const lines = text.split('\n')
  return lines.slice(0, -1).map((line) => {
    try {
      const message: unknown = JSON.parse(line)
      if (typeof message === 'object' && message !== null) return message as LoadMessage
    } catch {
      // it is none
    }
    return { foreign: line }
  })
}

/** @param fate what became of the process, if it has not said that it is done */
function resultOf(messages: readonly LoadMessage[], fate: string, shown: Shown): Loaded {
  let config: unknown
  let file = ''
  let found = 0
  let isDone = false
  const models: LoadedJSON[] = []
  const empty: string[] = []
  const close = (): void => {
    if (file !== '' && found === 0) empty.push(file)
  }
  for (const message of messages) {
    if ('problem' in message) throw new Failure(`${shown(file)} ${message.problem}`, undefined, { cause: withStack(message.stack) })
    if ('foreign' in message) throw new Failure(`${shown(file)} writes to the pipe of rowkey, file descriptor ${answers}. Leave it alone.`)
    if ('failure' in message) throw new Failure(message.failure, undefined, { cause: withStack(message.stack) })
    if ('file' in message) {
      close()
      file = message.file
      found = 0
    } else if ('config' in message) {
      config = message.config
      found = 1
    } else if ('schema' in message) {
      found++
      models.push({ file, name: message.name, json: message.schema, isClass: message.isClass === true })
    } else {
      isDone = true
    }
  }
  if (!isDone) throw new Failure(`${shown(file)} ${fate}.`)
  close()
  return { config, models, empty }
}

/** An error of the other process. */
function withStack(stack: string): Error {
  const error = new Error(stack.split('\n')[0] ?? '')
  error.stack = stack
  return error
}
