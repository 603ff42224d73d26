import { host } from '@rowkey/servers'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A wire between client and server on which answers come late, or not at all. */
export interface Proxy {
  readonly contactPoint: string
  /** From now on requests reach the server and no answer comes back; or all of them do. */
  holdAnswers(areHeld: boolean): void
  /**
   * Lets this many bytes of answers through from now on, then cuts the connection they came by, once. Not all connections: the driver has
   * unhandled rejections where the one by which it hears of the cluster is cut while it is being made.
   */
  cutAfter(bytes: number): void
  /** Refuses connections, and cuts those there are; or takes them again. */
  refuse(isRefused: boolean): Promise<void>
  close(): Promise<void>
}

export async function openProxy(contactPoint: string): Promise<Proxy> {
  const [target = host, port = '9042'] = contactPoint.split(':')
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let areHeld = false
  let left = Infinity
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
      const answer = (): void => {
        client.write(chunk.subarray(0, left))
        left -= chunk.length
        if (left > 0) return
        left = Infinity
        setImmediate(() => client.destroy())
      }
      if (areHeld) held.push(answer)
      else answer()
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
    contactPoint: `${host}:${own}`,
    holdAnswers(isHeld) {
      areHeld = isHeld
      if (!isHeld) for (const answer of held.splice(0)) answer()
    },
    cutAfter: (bytes) => (left = bytes),
    async refuse(isRefused) {
      if (isRefused) await close()
      else await listen(own)
    },
    close,
  }
}
