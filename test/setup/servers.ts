import type { TestProject } from 'vitest/node'
import { serversOf } from './projects.js'
import { serve } from './serve.js'

/** Starts the servers of the project that asks. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => serve(...serversOf(project.name))(project)
