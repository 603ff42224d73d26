import type { Loop } from './loop.js'
import { cpuNanoseconds } from './cpu-time.js'

/** How many times as many calls as before a measurement may have: where the processor's clock stood still, a call seems to take nothing. */
const maxGrowth = 8

/** Runs one loop for about as long as it is told to. */
export class Stopwatch {
  private readonly loop: Loop
  private perCall = 0
  private calls = 1

  constructor(loop: Loop) {
    this.loop = loop
  }

  /**
   * Runs until both are reached. The codec compiles a layout after about a thousand calls, and the engine needs time of its own. A
   * processor's clock that does not move is waited for no longer than a hundred times as long.
   */
  async warmUp(calls: number, milliseconds: number): Promise<void> {
    let done = 0
    let spent = 0
    const end = performance.now() + 100 * milliseconds
    const isShort = (): boolean => spent < milliseconds * 1e6 && performance.now() < end
    for (let next = Math.min(64, calls); done < calls || isShort(); next = Math.min(next * 2, 1 << 20)) {
      const began = cpuNanoseconds()
      await this.loop(next)
      const took = cpuNanoseconds() - began
      this.perCall = took / next
      this.calls = next
      done += next
      spent += took
    }
  }

  /** Nanoseconds per call over about this many milliseconds, by the processor and by the wall. */
  async time(leastCalls: number, milliseconds: number): Promise<{ readonly number: number; readonly wall: number }> {
    const wanted = Math.min(Math.round((milliseconds * 1e6) / this.perCall), maxGrowth * this.calls)
    const calls = Math.max(leastCalls, wanted)
    this.calls = calls
    const began = cpuNanoseconds()
    const start = process.hrtime.bigint()
    await this.loop(calls)
    const wall = Number(process.hrtime.bigint() - start) / calls
    this.perCall = (cpuNanoseconds() - began) / calls
    return { number: this.perCall, wall }
  }
}
