import type { RowkeyError } from 'rowkey/codec'

/** Carries out what the words of a message say, on the state that the refusal left, and asserts that it helps. */
export type Remedy = (said: string, error: RowkeyError) => unknown

/** By the words of the message that say what to do: all that are there, up to its end. */
export type Remedies = Readonly<Record<string, Remedy>>

/** Why nothing can be carried out, and what a message says then. */
export const noRemedies = {
  'a fault of the adapter': /fault of the adapter/,
  'another version of rowkey': /Use (the version that wrote it, or a newer one|that version)|use that version/,
  'a backup': /Restore it\.$/,
  'a setting of the compiler': /compile for ES2022/,
  'a server that is down': /Repeat the call when the server is available again\.$/,
  'whoever runs the server': /Give the role of the client this permission\.$|the logs of the replicas say what is wrong\.$/,
  'the store does it': /removes them by itself, or keeps them hidden\.$/,
} as const

/** A name for the snapshot, a call that is refused, and what its message says to do then. */
export type Provocation = readonly [what: string, run: () => unknown, remedies: Remedies | keyof typeof noRemedies]
