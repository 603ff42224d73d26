import { host } from '@rowkey/servers'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A wire between clients and one port of a server, on which anything can go wrong. */
export interface Proxy {
  /** Where clients connect. */
  readonly port: number
  /** Bytes in both directions since it was opened. */
  readonly bytes: () => number
  /** Requests reach the server, and answers wait; then they come, or are lost with their connections. */
  holdAnswers(areHeld: boolean, areLost?: boolean): void
  /** From now on every part of an answer comes so many milliseconds after the one before it. */
  slowDown(ms: number): void
  /** Lets this many bytes of answers through from now on, then cuts the connection they came by, once. */
  cutAfter(bytes: number): void
  /** The request that is the `count`th from now on is done and not answered: its connection is cut. */
  swallow(count: number): void
  /** Cuts the connections there are. */
  cut(): void
  /** Refuses connections, and cuts those there are; or takes them again. */
  refuse(isRefused: boolean): Promise<void>
  close(): Promise<void>
}

export async function openProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let areHeld = false
  let delay = 0
  let bytes = 0
  let left = Infinity
  let requests = Infinity
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    const upstream = connect({ port, host })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    const pass = (act: () => void): void => {
      if (areHeld) held.push(act)
      else act()
    }
    let waiting = 0
    let last = Promise.resolve()
    const toClient = (act: () => void): void => {
      if (delay === 0 && waiting === 0) {
        pass(act)
        return
      }
      waiting++
      last = last.then(async () => {
        await sleep(delay)
        waiting--
        pass(act)
      })
    }
    client.on('close', () => upstream.destroy())
    // A server that closes after its answer, as moto does, is heard closing after the answer too.
    upstream.on('close', () => {
      toClient(() => {
        client.destroySoon()
      })
    })
    let isDeaf = false
    client.on('data', (chunk) => {
      bytes += chunk.length
      upstream.write(chunk)
      if (requests === Infinity || --requests > 0) return
      requests = Infinity
      isDeaf = true
      setTimeout(() => client.destroy(), 100) // the server has it and does it: a moment later nobody hears of it
    })
    upstream.on('data', (chunk) => {
      bytes += chunk.length
      toClient(() => {
        if (isDeaf) return
        client.write(chunk.subarray(0, left))
        left -= chunk.length
        if (left > 0) return
        left = Infinity
        setImmediate(() => client.destroy())
      })
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
    port: own,
    bytes: () => bytes,
    holdAnswers(isHeld, areLost = false) {
      areHeld = isHeld
      if (isHeld) return
      const answers = held.splice(0)
      if (areLost) cut()
      else for (const answer of answers) answer()
    },
    slowDown: (ms) => (delay = ms),
    cutAfter: (bytes) => (left = bytes),
    swallow: (count) => (requests = count),
    cut,
    async refuse(isRefused) {
      if (isRefused) await close()
      else await listen(own)
    },
    close,
  }
}
