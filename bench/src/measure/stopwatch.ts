import type { Loop } from './loop.js'
import { cpuNanoseconds } from './cpu-time.js'

/** Runs one loop for about as long as it is told to. */
export class Stopwatch {
  private readonly loop: Loop
  private perCall = 0

  constructor(loop: Loop) {
    this.loop = loop
  }

  /** Runs until both are reached. The codec compiles a layout after about a thousand calls, and the engine needs time of its own. */
  async warmUp(calls: number, milliseconds: number): Promise<void> {
    let done = 0
    let spent = 0
    for (let next = Math.min(64, calls); done < calls || spent < milliseconds * 1e6; next = Math.min(next * 2, 1 << 20)) {
      const began = cpuNanoseconds()
      await this.loop(next)
      const took = cpuNanoseconds() - began
      this.perCall = took / next
      done += next
      spent += took
    }
  }

  /** Nanoseconds per call over about this many milliseconds, by the processor and by the wall. */
  async time(leastCalls: number, milliseconds: number): Promise<{ readonly number: number; readonly wall: number }> {
    const calls = Math.max(leastCalls, Math.round((milliseconds * 1e6) / this.perCall))
    const began = cpuNanoseconds()
    const start = process.hrtime.bigint()
    await this.loop(calls)
    const wall = Number(process.hrtime.bigint() - start) / calls
    this.perCall = (cpuNanoseconds() - began) / calls
    return { number: this.perCall, wall }
  }
}
