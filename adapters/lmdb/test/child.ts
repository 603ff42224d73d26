import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build as buildProjects } from '../../../test/setup/build.js'

/** Builds what children run: they are plain Node.js, without the test runner. */
export const build = (): void => buildProjects('adapters/lmdb', 'packages/rowkey')

/** A program beside this file, with `before` in front of `node`. */
export function start(program: string, args: readonly string[], before: readonly string[] = []): ChildProcess {
  const [command = '', ...rest] = [...before, process.execPath, fileURLToPath(new URL(program, import.meta.url)), ...args]
  return spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs a program to its end while this process stands still. */
export function runAndWait(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), ...args], { encoding: 'utf8' })
  if (status !== 0 || stderr !== '') throw new Error(`${program}: ${stderr}`)
}

/** What a child has printed when it ends. */
export async function output(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly signal: string | null; readonly lines: readonly string[]; readonly errors: string }> {
  let [text, errors] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (part: string) => (text += part))
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (errors += part))
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      // A line without its end was cut by a kill.
      resolve({ code, signal, lines: text.split('\n').slice(0, -1), errors })
    })
  })
}
