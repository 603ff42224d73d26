import { ask, host } from '../loopback.js'
import { findProgram, run } from '../programs.js'

/** Nothing is saved unless somebody asks for it. */
export const redisArguments = (port: number, folder: string): readonly string[] => [
  ...['--port', String(port), '--bind', host, '--dir', folder, '--save', '', '--appendonly', 'no'],
]

/** Rejects until the server answers and has loaded its data. */
export async function pong(port: number): Promise<void> {
  const answer = (await ask(port, 'PING\r\n')).toString()
  if (!answer.startsWith('+PONG')) throw new Error(answer)
}

export async function redisVersion(): Promise<string> {
  const text = await run(findProgram('redis-server') as string, ['--version'])
  return /v=(\S+)/.exec(text)?.[1] ?? 'unknown'
}
