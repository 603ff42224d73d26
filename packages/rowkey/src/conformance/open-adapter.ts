import type { Adapter } from '#store/adapter'

/** An adapter for tests, and how to clean up after it: a client to close, a folder to delete. */
export interface OpenAdapter {
  readonly adapter: Adapter
  /** Called after `adapter.close()`. */
  dispose?(): void | Promise<void>
  /**
   * Makes the server of this adapter silent: requests arrive, but nothing is answered until the function that this resolves to is called. A
   * proxy can do that. Without it, the suite holds back the answers of the adapter instead.
   */
  silence?(): (() => void | Promise<void>) | Promise<() => void | Promise<void>>
  /**
   * Bytes that the client of this adapter and its server have exchanged so far, in both directions. A proxy can count them. Without it, rules about
   * costs only see calls of the adapter and what its pages say.
   */
  traffic?(): number
}

/** Makes an adapter: alone, or with what has to be cleaned up after it. */
export type CreateAdapter = () => Adapter | OpenAdapter | Promise<Adapter | OpenAdapter>

/** An adapter of a run; `end` closes it and cleans up. */
export type Session = OpenAdapter & { end(): Promise<void> }

/** Makes an adapter, with what has to be cleaned up after it. */
export async function createOpen(create: CreateAdapter): Promise<OpenAdapter> {
  const made = await create()
  return 'adapter' in made ? made : { adapter: made }
}

/** Makes an adapter; `end` closes it and cleans up. */
export async function openAdapter(create: CreateAdapter): Promise<Session> {
  const opened = await createOpen(create)
  const end = async (): Promise<void> => {
    await opened.adapter.close()
    await opened.dispose?.()
  }
  return { ...opened, end }
}

/** Different letters for each run, so that tables left by an earlier run are not used. */
export const freshPrefix = (): string => `rk${Math.floor(Math.random() * 36 ** 6).toString(36)}_`
