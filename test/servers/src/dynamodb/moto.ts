import type { Launcher, StartOptions } from '../server.js'
import { Daemon, folderFor } from '../daemon.js'
import { freePort, host } from '../loopback.js'
import { fetchedPath, findProgram, isExecutable, run } from '../programs.js'
import { answersHttp, type DynamodbConnection } from './endpoint.js'

const version = '5.2.5'
const environment = (): string => fetchedPath(`moto-${version}`)
const program = (): string => `${environment()}/bin/moto_server`

/** moto: transactions, native TTL calls, the old item with a failed condition; laxer than the service and slow. Keeps nothing. */
export const moto: Launcher<DynamodbConnection> = {
  name: 'moto',
  missing: () => (isExecutable(program()) ? undefined : 'moto has not been fetched (pnpm test:servers)'),
  async fetch() {
    if (isExecutable(program())) return
    const python = findProgram('python3')
    if (python === undefined) throw new Error('moto needs python3')
    await run(python, ['-m', 'venv', environment()])
    await run(`${environment()}/bin/pip`, ['install', '--quiet', '--disable-pip-version-check', `moto[server,dynamodb]==${version}`])
  },
  async start({ folder: given, port: wanted }: StartOptions = {}) {
    const port = wanted ?? (await freePort())
    const folder = folderFor('moto', given)
    const daemon = await Daemon.start({
      name: 'moto',
      command: program(),
      args: ['-H', host, '-p', String(port)],
      folder: folder.path,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
      ready: () => answersHttp(port),
    })
    return {
      connection: { endpoint: `http://${host}:${port}` },
      version,
      ...daemon.control(folder),
    }
  },
}
