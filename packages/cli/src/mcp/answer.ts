// Tested by mcp.test.ts.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Tool } from './tools.js'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

/**
 * Answers with the JSON of a tool's command, or with its message. The command runs in a process of its own, so that models are read again each
 * time, and what they do cannot harm the server.
 *
 * @param options where models are, as options of the command
 */
export async function answerOf(tool: Tool, given: Readonly<Record<string, unknown>>, options: readonly string[]): Promise<CallToolResult> {
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
    const { code, stdout, stderr } = await run([name, '--json', ...(given['schemas'] === undefined ? options : []), ...rest])
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
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}
