/** A step of the gate: its name, how long it took, and the CPU time of all its processes that have ended. */
export interface Step {
  readonly name: string
  readonly wall: number
  readonly cpu: number
}

/** What steps and projects may cost, in CPU seconds and in seconds of a worker. */
export interface Budget {
  readonly steps: Readonly<Record<string, number>>
  readonly projects: Readonly<Record<string, number>>
}

export function stepsIn(text: string): readonly Step[]
export function linesOf(steps: readonly Step[], projects: Readonly<Record<string, number>>, budget: Budget): readonly string[]
