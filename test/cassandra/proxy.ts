import { host } from '@rowkey/servers'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A wire between client and server on which answers can be lost. */
export interface Proxy {
  readonly contactPoint: string
  /** From now on requests reach the server and no answer comes back; or it does again, without those that were lost. */
  loseAnswers(areLost: boolean): void
  /** Lets this many bytes of answers through from now on, then cuts all connections. New ones are whole. */
  cutAfter(bytes: number): void
  /** Refuses connections, and cuts those there are; or takes them again. */
  refuse(isRefused: boolean): Promise<void>
  close(): Promise<void>
}

export async function openProxy(contactPoint: string): Promise<Proxy> {
  const [target = host, port = '9042'] = contactPoint.split(':')
  const sockets = new Set<Socket>()
  let areLost = false
  let left = Infinity
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
    left = Infinity
  }
  const server = createServer((client) => {
    const upstream = connect({ port: Number(port), host: target })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    client.on('data', (chunk) => upstream.write(chunk))
    upstream.on('data', (chunk) => {
      if (areLost) return
      client.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) setImmediate(cut)
    })
  })
  const listen = async (at: number): Promise<number> => {
    server.listen(at, host)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const own = await listen(0)
  const close = async (): Promise<void> => {
    cut()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return {
    contactPoint: `${host}:${own}`,
    loseAnswers(lost) {
      areLost = lost
      if (!lost) cut() // a stream of frames of which some are missing is of no use
    },
    cutAfter: (bytes) => (left = bytes),
    async refuse(isRefused) {
      if (isRefused) await close()
      else await listen(own)
    },
    close,
  }
}
