import { open, type RootDatabase } from 'lmdb'

/** An open file: keys and values are bytes. */
export type File = RootDatabase<Buffer, Buffer>

/** Opens the file of a folder, or makes it. */
export function openFile(path: string, sync: boolean): File {
  return open<Buffer, Buffer>(path, {
    keyEncoding: 'binary',
    encoding: 'binary',
    noSubdir: false,
    maxDbs: 1,
    noSync: !sync,
    // The promise of a transaction then stands for its flush too.
    overlappingSync: false,
    // Transactions are put together here; LMDB's own batches leave a rejection without a handler when a commit fails.
    eventTurnBatching: false,
  })
}
