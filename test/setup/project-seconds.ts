// Tested by budget.test.ts.
import type { Reporter, TestModule } from 'vitest/node'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What of a test file takes a worker's time. */
export interface Timed {
  readonly project: string
  readonly setupDuration: number
  readonly collectDuration: number
  readonly duration: number
}

/** The seconds that workers had each project for: to load its files, and to run their tests. */
export function secondsOf(files: readonly Timed[]): Readonly<Record<string, number>> {
  const seconds: Record<string, number> = {}
  for (const { project, setupDuration, collectDuration, duration } of files) {
    seconds[project] = (seconds[project] ?? 0) + (setupDuration + collectDuration + duration) / 1000
  }
  return seconds
}

/** Writes them as JSON for the gate. Vitest's own report does not name projects, and a file may be in several. */
export class ProjectSeconds implements Reporter {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const seconds = secondsOf(modules.map((module) => ({ ...module.diagnostic(), project: module.project.name })))
    mkdirSync(dirname(this.path), { recursive: true })
    writeFileSync(this.path, JSON.stringify(seconds))
  }
}
