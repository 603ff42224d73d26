// Tested by told.test.ts.
/** Exit codes of the command. */
export const exitCodes: Readonly<Record<'fine' | 'findings' | 'usage' | 'refused' | 'store', number>> = Object.freeze({
  fine: 0,
  findings: 1,
  usage: 2,
  refused: 3,
  store: 4,
})

/** Why the command stops: a message for stderr and the exit code. It has no code of rowkey. */
export class Failure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.usage, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Failure'
    this.exitCode = exitCode
  }
}

/** The message of an error of the operating system, such as `no permission`. */
export function systemReason(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'there is no permission',
  EPERM: 'there is no permission',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the file system cannot be written',
}
