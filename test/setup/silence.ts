import { openProxy } from './proxy.js'

/** A wire to a server on this machine that can be made silent, for the rules of calls that end before their answer, and that counts bytes. */
export async function silentWire(port: number): Promise<{
  readonly port: number
  silence(): () => void
  /** Bytes in both directions so far. */
  traffic(): number
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
    traffic: proxy.bytes,
    close: () => proxy.close(),
  }
}
