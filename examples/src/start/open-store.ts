import { isRowkeyError, memory, schemaOf, type Adapter } from 'rowkey'
import { InputError, type Arguments } from './arguments.js'
import { LogTimeline } from './models.js'

/** The store of the job, and whether an earlier start has left its tables there. */
export interface OpenStore {
  readonly adapter: Adapter
  readonly isReused: boolean
}

/** @throws InputError if its folder cannot be used */
export async function openStore({ path }: Arguments): Promise<OpenStore> {
  if (path === undefined) return { adapter: memory(), isReused: false }
  const { lmdb } = await import('@rowkey/lmdb') // its binary is loaded only where it is used
  try {
    const adapter = lmdb(path)
    return { adapter, isReused: (await adapter.describeTable(schemaOf(LogTimeline).name)) !== undefined }
  } catch (error) {
    throw isRowkeyError(error) ? new InputError(error.message) : error
  }
}
