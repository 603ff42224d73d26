// Tested by stores-commands.test.ts and stores-interrupted.test.ts.
import { isRowkeyError } from 'rowkey/codec'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { openStore, reasonOf, type OpenOptions, type OpenStore } from './open-store.js'

/** What asks for an end from outside. */
const signals = ['SIGINT', 'SIGTERM'] as const

/** What a signal asks for. */
export interface Interruption {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
  /** The exit code that the signal means. @throws Failure always */
  stop(message: string): never
}

/**
 * Opens stores, uses them and closes them, whatever happens. Errors of clients become failures with exit code 4. The first Ctrl-C aborts the signal; a
 * second one ends the process.
 *
 * @param isGraceful whether `use` itself ends at the signal, after what it has begun
 */
export async function withStores<T>(
  shell: Shell,
  urls: readonly (readonly [url: string | undefined, options: OpenOptions])[],
  use: (stores: readonly OpenStore[], interruption: Interruption) => Promise<T>,
  isGraceful = false,
): Promise<T> {
  const { host, stdout } = shell
  const controller = new AbortController()
  let code = 130
  const onSignal = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) host?.exit(code)
    code = name === 'SIGTERM' ? 143 : 130
    controller.abort(new Failure('interrupted.', code))
  }
  const stop = (message: string): never => {
    throw new Failure(message, code)
  }
  for (const signal of signals) host?.on(signal, onSignal)
  const stores: OpenStore[] = []
  try {
    const opening = (async () => {
      for (const [url, options] of urls) stores.push(await openStore(shell, url, options))
    })()
    await untilAborted(opening, controller.signal)
    const work = use(stores, { signal: controller.signal, stop })
    return await (isGraceful ? work : untilAborted(work, controller.signal))
  } catch (error) {
    throw told(error, stores.map(({ url }) => url).join(', '), shell.env)
  } finally {
    for (const { close } of stores) await close()
    for (const signal of signals) host?.off(signal, onSignal)
    // A client that still waits for something does not keep the command; a reader that has not taken all rows yet does.
    if (host !== undefined) setTimeout(() => stdout.write('', () => host.exit()), 1000).unref()
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', abort)
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort)
  }
}

/** Faults of this program are told as such; everything else that is no error of rowkey comes from a client. */
export function told(error: unknown, where: string, env: Shell['env']): unknown {
  if (error instanceof Failure || isRowkeyError(error)) return error
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) return error
  return new Failure(`${where} has failed: ${reasonOf(error, env)}`, exitCodes.store, { cause: error })
}
