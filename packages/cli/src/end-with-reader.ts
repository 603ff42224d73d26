// Tested by decode-stream.test.ts and told.test.ts.
import { exitCodes, systemReason } from './failure.js'

/** Ends a process quietly when nobody reads its output any more, as after `| head`. */
export function endWithReader(host: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'exit'>): void {
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') host.exit(exitCodes.fine)
    host.stderr.write(`rowkey: stdout cannot be written: ${systemReason(error)}\n`)
    host.exit(exitCodes.usage)
  })
  host.stderr.on('error', () => undefined)
}
