import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A store's own client in a program in Java, which answers each line that it is told with a line. */
export interface JavaProgram {
  /** The answer to a command. Rejects with what the program could not do. */
  run(...words: readonly (string | number)[]): Promise<string>
  end(): Promise<void>
}

/** Starts a source file, which takes some seconds, because Java compiles it first. */
export function startProgram(java: { command(): string; classPath(): string }, source: string, ...words: readonly string[]): JavaProgram {
  const child = spawn(java.command(), ['-cp', java.classPath(), source, ...words], { stdio: ['pipe', 'pipe', 'pipe'] })
  const waiting: { resolve(answer: string): void; reject(error: Error): void }[] = []
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift()
    if (line.startsWith('error ')) next?.reject(new Error(line))
    else next?.resolve(line)
  })
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      for (const { reject } of waiting) reject(new Error(`the Java program has ended: ${said}`))
      resolve()
    })
  })
  return {
    run(...words) {
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(`${words.join(' ')}\n`)
      })
    },
    async end() {
      child.stdin.end()
      await ended
    },
  }
}
