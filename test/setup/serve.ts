import type { TestProject } from 'vitest/node'
import { acquire, launchers, release, type Acquired, type Connections, type ServerName } from '../servers/src/index.js'

declare module 'vitest' {
  export interface ProvidedContext {
    servers: { readonly [Name in ServerName]?: Acquired<Connections[Name]> }
  }
}

/**
 * A global set-up that starts servers, once for all projects of a run, and tells their tests how to reach them. With
 * ROWKEY_REQUIRE_SERVERS one that is missing is a failure.
 */
export function serve(...names: readonly ServerName[]): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    const acquired = await Promise.all(names.map(async (name) => [name, await acquire(name)] as const))
    for (const [name, server] of acquired) {
      if ('missing' in server && launchers[name].isOwnOnly !== true && process.env['ROWKEY_REQUIRE_SERVERS'] === '1') {
        throw new Error(`${name} is required: ${server.missing}`)
      }
    }
    project.provide('servers', Object.fromEntries(acquired))
    return async () => {
      await Promise.all(names.map(release))
    }
  }
}
