import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'

/** The only interface on which test servers listen. */
export const host = '127.0.0.1'

/** Ports nobody listens on at the moment, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, host)
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

export const freePort = async (): Promise<number> => (await freePorts(1))[0] as number

/** Sends bytes and gives what comes back first. Rejects if nothing does. */
export async function ask(port: number, request: string | Uint8Array, patience = 2000): Promise<Buffer> {
  const socket = connect({ port, host })
  socket.setTimeout(patience, () => socket.destroy(new Error('no answer')))
  try {
    await once(socket, 'connect')
    socket.write(request)
    const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean]
    if (!Buffer.isBuffer(answer)) throw new Error('closed without an answer')
    return answer
  } finally {
    socket.destroy()
  }
}
