// Tested by mcp.test.ts.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { Run, Shell } from '../shell.js'
import type { Tool } from './tools.js'

/**
 * Answers with the JSON of a tool's command, or with its message. Models are read again each time, in a process of their own, so what they do cannot
 * harm the server.
 *
 * @param options where models are, as options of the command
 */
export async function answerOf(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  options: readonly string[],
  run: Run,
  shell: Shell,
): Promise<CallToolResult> {
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-mcp-'))
  try {
    const files: (readonly [string, unknown])[] = []
    const args = tool.command(given, (json) => {
      const path = join(folder, `${files.length}.json`)
      files.push([path, json])
      return path
    })
    await Promise.all(files.map(([path, json]) => writeFile(path, JSON.stringify(json))))
    const [name = '', ...rest] = args
    const { code, stdout, stderr } = await ended(run, [name, '--json', ...(given['schemas'] === undefined ? options : []), ...rest], shell)
    const text = stdout === '' ? stderr.trim() : stdout.trim()
    // 1 is for findings, which are an answer.
    return code === 0 || code === 1
      ? { content: [{ type: 'text', text }] }
      : { content: [{ type: 'text', text: stderr.trim() }], isError: true }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function ended(run: Run, args: readonly string[], { env, folder, host }: Shell): Promise<Ended> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  const code = await run(args, { stdin: Readable.from([]), stdout: into(stdout), stderr: into(stderr), env, folder, host })
  return { code, stdout: String(Buffer.concat(stdout)), stderr: String(Buffer.concat(stderr)) }
}

const into = (chunks: Buffer[]): Writable =>
  new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk)
      done()
    },
  })
