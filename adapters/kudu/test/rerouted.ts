import { KuduClient } from '@rowkey/kudu-client'
import { host, type KuduConnection } from '@rowkey/servers'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The port of the only tablet server, which the master tells with each tablet. */
export async function tabletServerPort({ masters }: KuduConnection): Promise<number> {
  const client = new KuduClient({ masters: [...masters] })
  const name = `where_${process.pid}_${Date.now()}`
  const table = await client.createTable({ name, columns: [{ name: 'k', type: 'INT8', isKey: true }], range: [] })
  const [tablet] = await client.tablets(table)
  await client.deleteTable(table)
  await client.close()
  return Number(tablet?.replicas[0]?.address.split(':')[1])
}

/** A port in an address as masters tell it: a number in three bytes, of the ports that systems give away. */
function addressBytes(port: number): Buffer {
  if (port < 2 ** 14) throw new Error(`port ${port} is below those that systems give away`)
  const number = [(port & 127) | 128, ((port >> 7) & 127) | 128, port >> 14]
  return Buffer.from([10, host.length, ...Buffer.from(host), 16, ...number])
}

export interface Rerouted {
  /** Of the master, for clients. */
  readonly address: string
  /** How often it has told the other port. */
  readonly told: () => number
  close(): Promise<void>
}

/** A wire to a master that tells another port of a tablet server: clients that connect to it reach the server over a wire of their own. */
export async function rerouted(master: string, server: number, port: number): Promise<Rerouted> {
  const [told, wanted] = [addressBytes(server), addressBytes(port)]
  const sockets = new Set<Socket>()
  let count = 0
  const listener = createServer((client) => {
    const upstream = connect({ host, port: Number(master.split(':')[1]) })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    upstream.on('data', (chunk) => {
      for (let at = chunk.indexOf(told); at >= 0; at = chunk.indexOf(told, at + 1)) {
        wanted.copy(chunk, at)
        count++
      }
      client.write(chunk)
    })
  })
  listener.listen(0, host)
  await once(listener, 'listening')
  return {
    address: `${host}:${(listener.address() as AddressInfo).port}`,
    told: () => count,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
