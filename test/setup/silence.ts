import { openProxy } from './proxy.js'

/** A wire to a server on this machine that can be made silent, for the rules of calls that end before their answer. */
export async function silentWire(port: number): Promise<{
  readonly port: number
  silence(): () => void
  close(): Promise<void>
}> {
  const proxy = await openProxy(port)
  return {
    port: proxy.port,
    silence() {
      proxy.holdAnswers(true)
      return () => {
        proxy.holdAnswers(false)
      }
    },
    close: () => proxy.close(),
  }
}
