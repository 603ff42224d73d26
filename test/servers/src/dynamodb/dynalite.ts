import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Launcher, StartOptions } from '../server.js'
import { Daemon, folderFor } from '../daemon.js'
import { freePort, host } from '../loopback.js'
import { answersHttp, type DynamodbConnection } from './endpoint.js'

const require = createRequire(import.meta.url)

/** dynalite: strict in limits and keys; no transactions, no native TTL, no old item with a failed condition. */
export const dynalite: Launcher<DynamodbConnection> = {
  name: 'dynalite',
  missing: () => undefined, // a dependency
  fetch: () => Promise.resolve(),
  async start({ folder: given, port: wanted }: StartOptions = {}) {
    const port = wanted ?? (await freePort())
    const folder = folderFor('dynalite', given)
    const kept = given === undefined ? [] : ['--path', folder.path]
    const daemon = await Daemon.start({
      name: 'dynalite',
      command: process.execPath,
      args: [
        require.resolve('dynalite/cli.js'),
        ...['--host', host, '--port', String(port), '--createTableMs', '0', '--deleteTableMs', '0', '--updateTableMs', '0'],
        ...kept,
      ],
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
