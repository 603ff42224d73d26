import type { RootDatabase } from 'lmdb'

/** An open file: keys and values are bytes. */
export type File = RootDatabase<Buffer, Buffer>
