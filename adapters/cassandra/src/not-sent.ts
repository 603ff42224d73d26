import { isRowkeyError } from '@rowkey/store'

/** Something that a write needed to know could not be read, so nothing was written. */
export class NotSent extends Error {}

/** @throws NotSent; RowkeyErrors that no repetition mends, as they are */
export async function beforeSending<T>(read: Promise<T>): Promise<T> {
  try {
    return await read
  } catch (cause) {
    if (isRowkeyError(cause) && cause.code !== 'STORE_UNAVAILABLE') throw cause
    throw new NotSent('nothing was written', { cause })
  }
}
