import { host } from '@rowkey/servers'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A wire between client and server that can be cut. */
export interface Proxy {
  readonly url: string
  /** Lets this many bytes of answers through from now on, then cuts the connection. New connections are whole. */
  cutAfter(bytes: number): void
  /** The request that is the `count`th from now on is done and not answered: the connection is cut. */
  swallow(count: number): void
  /** Refuses connections, and cuts those there are; or takes them again. */
  refuse(isRefused: boolean): Promise<void>
  close(): Promise<void>
}

export async function openProxy(target: string): Promise<Proxy> {
  const port = Number(new URL(target).port)
  const sockets = new Set<Socket>()
  let left = Infinity
  let requests = Infinity
  const server = createServer((client) => {
    const upstream = connect({ port, host })
    const cut = (): void => {
      client.destroy()
      upstream.destroy()
      left = requests = Infinity
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => (sockets.delete(socket), client.destroy(), upstream.destroy()))
    }
    client.on('data', (chunk) => {
      upstream.write(chunk)
      // Redis has it and does it: a moment later nobody hears of it.
      if (requests !== Infinity && --requests === 0) setTimeout(cut, 100)
    })
    upstream.on('data', (chunk) => {
      if (requests === 0) return
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
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `redis://${host}:${own}`,
    cutAfter: (bytes) => (left = bytes),
    swallow: (count) => (requests = count),
    async refuse(isRefused) {
      if (isRefused) await close()
      else await listen(own)
    },
    close,
  }
}
