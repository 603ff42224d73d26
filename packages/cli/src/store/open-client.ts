// Tested by stores-url.test.ts and stores-commands.test.ts.
import type { Adapter, OpenedClient, Opener } from 'rowkey/adapter'
import { exitCodes, Failure } from '../failure.js'
import type { Shell } from '../shell.js'
import { exportsOf, installed, storeOf } from '../stores.js'
import { hostOf, parseUrl, storeOfUrl, type StoreUrl } from './parse-url.js'

/** An adapter with the client that it uses. */
export interface OpenClient extends Omit<OpenedClient, 'arguments'> {
  readonly url: StoreUrl
  readonly adapter: Adapter
  /** Another adapter over the same client. */
  another(): Adapter
}

/** How long a client waits for a connection, in milliseconds. All together has to end within {@link openingMs}. */
const connectMs = 5000
/** How long opening may take. */
export const openingMs = 7000

/** How long a client waits for one answer, in milliseconds. A server that is alive but silent must not keep the command forever. */
const answerMs = 10_000

/** Loads what a store needs. `isNew`: whether the store may be new. The client is made when the result is called. @throws Failure */
export async function clientOf(given: string, isNew: boolean, shell: Shell): Promise<{ readonly url: StoreUrl; open(): OpenClient }> {
  const name = storeOfUrl(given)
  const { opening } = await storeOf(name, shell.folder)
  if (opening === undefined) throw new Failure(`the store '${name}' is not opened by a URL.`)
  const url = parseUrl(given, opening)
  const exported = await exportsOf(name, shell.folder)
  const drivers: object[] = []
  for (const driver of opening.drivers) drivers.push(await installed(driver, shell.folder))
  const adapterOf = exported[name] as (...args: readonly unknown[]) => Adapter
  return {
    url,
    open() {
      const { arguments: args, ...client } = opening.open(drivers as never, openerOf(url, isNew, shell))
      return { ...client, url, adapter: adapterOf(...args), another: () => adapterOf(...args) }
    },
  }
}

/** What a store takes of the command to make its client. */
function openerOf(url: StoreUrl, isNew: boolean, shell: Shell): Opener {
  const { env } = shell
  const { parameters } = url
  const oneOf: Opener['oneOf'] = (name, known) => {
    const given = parameters.get(name) ?? known[0]
    const found = known.find((each) => each === given)
    if (found === undefined) throw new Failure(`the URL of the store has a wrong ${name}. Give one of: ${known.join(', ')}.`)
    return found
  }
  return {
    url,
    isNew,
    env,
    connectMs,
    answerMs,
    oneOf,
    host: hostOf,
    path: (place) => shell.path(place),
    flag: (name) => parameters.has(name) && oneOf(name, ['true', 'false']) === 'true',
    credentials: (prefix) => ({ username: given(env, `${prefix}_USERNAME`), password: given(env, `${prefix}_PASSWORD`) }),
    refuse: (message) => {
      throw new Failure(message)
    },
    notThere: (message) => {
      throw new Failure(message, exitCodes.store)
    },
  }
}

/** What is empty is not set. */
const given = (env: Shell['env'], name: string): string | undefined => (env[name] === '' ? undefined : env[name])
