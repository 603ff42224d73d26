import { cpus, loadavg } from 'node:os'
import { clock } from './measure/cpu-time.js'

/** What figures depend on. */
export interface Machine {
  readonly node: string
  readonly platform: string
  readonly processor: string
  readonly processors: number
  /** Runnable processes in the last minute. More than there are processors: figures are noisy. */
  readonly load: number
  readonly clock: string
}

export function machine(): Machine {
  const processors = cpus()
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processor: processors[0]?.model.trim() ?? 'unknown',
    processors: processors.length,
    load: loadavg()[0] ?? 0,
    clock,
  }
}

export function machineText({ node, platform, processor, processors, load, clock }: Machine): string {
  return `Node.js ${node}, ${platform}, ${processors} x ${processor}, load ${load.toFixed(1)}; time is ${clock}`
}
