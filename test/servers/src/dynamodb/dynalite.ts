import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Launcher, StartOptions } from '../server.js'
import { Daemon, folderFor } from '../daemon.js'
import { freePort, host } from '../loopback.js'
import { answersHttp, type DynamodbConnection } from './endpoint.js'

const require = createRequire(import.meta.url)

// dynalite's own command lets a connection end after five idle seconds. A server without CPU for so long then resets a request that is
// already there, and the outcome of a write is unknown.
const program = `
  const [dynalite, host, port, path] = process.argv.slice(1)
  const server = require(dynalite)({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 })
  server.keepAliveTimeout = 0
  server.listen(Number(port), host)
`

/** dynalite: strict in limits and keys; no transactions, no native TTL, no old item with a failed condition. */
export const dynalite: Launcher<DynamodbConnection> = {
  name: 'dynalite',
  missing: () => undefined, // a dependency
  fetch: () => Promise.resolve(),
  async start({ folder: given, port: wanted }: StartOptions = {}) {
    const port = wanted ?? (await freePort())
    const folder = folderFor('dynalite', given)
    const daemon = await Daemon.start({
      name: 'dynalite',
      command: process.execPath,
      args: ['-e', program, require.resolve('dynalite'), host, String(port), ...(given === undefined ? [] : [folder.path])],
      folder: folder.path,
      ready: () => answersHttp(port),
    })
    const { version } = JSON.parse(readFileSync(require.resolve('dynalite/package.json'), 'utf8')) as { version: string }
    return {
      connection: { endpoint: `http://${host}:${port}` },
      version,
      ...daemon.control(folder),
    }
  },
}
