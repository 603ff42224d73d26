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
    for (let next = 64; done < calls || spent < milliseconds * 1e6; next = Math.min(next * 2, 1 << 20)) {
      const began = cpuNanoseconds()
      await this.loop(next)
      const took = cpuNanoseconds() - began
      this.perCall = took / next
      done += next
      spent += took
    }
  }

  /** Nanoseconds per call over about this many milliseconds. */
  async time(milliseconds: number): Promise<number> {
    const calls = Math.max(16, Math.round((milliseconds * 1e6) / this.perCall))
    const began = cpuNanoseconds()
    await this.loop(calls)
    this.perCall = (cpuNanoseconds() - began) / calls
    return this.perCall
  }
}
