import type { Launcher, StartOptions } from '../server.js'
import { Daemon, folderFor } from '../daemon.js'
import { freePort, host } from '../loopback.js'
import { fetchedPath, findProgram, isExecutable, run } from '../programs.js'
import { answersHttp, type DynamodbConnection } from './endpoint.js'

const version = '5.2.5'
const environment = (): string => fetchedPath(`moto-${version}`)
const program = (name: 'moto_server' | 'python' | 'pip'): string => `${environment()}/bin/${name}`
/** pip leaves this when all is installed. */
const isFetched = (): boolean => isExecutable(program('moto_server'))

/**
 * moto with one request at a time. By itself it answers several at once in threads that share its items: of several inserts of one row two
 * were applied now and then, and some of many increments were lost. What a client sends is read before its turn: it may stop in the middle.
 */
const inTurn = `
import io, sys, threading
from moto import server

turn, serve = threading.Lock(), server.run_simple

def serve_in_turn(host, port, app, **options):
    def answer(environ, start_response):
        length = int(environ.get('CONTENT_LENGTH') or 0)
        environ['wsgi.input'] = io.BytesIO(environ['wsgi.input'].read(length))
        with turn:
            chunks = app(environ, start_response)
            try:
                return list(chunks)
            finally:
                getattr(chunks, 'close', lambda: None)()
    serve(host, port, answer, **options)

server.run_simple = serve_in_turn
server.main(sys.argv[1:])
`

/** moto: transactions, native TTL calls, the old item with a failed condition; laxer than the service and slow. Keeps nothing. */
export const moto: Launcher<DynamodbConnection> = {
  name: 'moto',
  missing: () => (isFetched() ? undefined : 'moto has not been fetched (pnpm test:servers)'),
  async fetch() {
    if (isFetched()) return
    const python = findProgram('python3')
    if (python === undefined) throw new Error('moto needs python3')
    await run(python, ['-m', 'venv', environment()])
    await run(program('pip'), ['install', '--quiet', '--disable-pip-version-check', `moto[server,dynamodb]==${version}`])
  },
  async start({ folder: given, port: wanted }: StartOptions = {}) {
    const port = wanted ?? (await freePort())
    const folder = folderFor('moto', given)
    const daemon = await Daemon.start({
      name: 'moto',
      command: program('python'),
      args: ['-c', inTurn, '-H', host, '-p', String(port)],
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
