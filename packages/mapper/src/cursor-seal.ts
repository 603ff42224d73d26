import { fromHex, RowkeyError, toHex } from '@rowkey/codec'
import { longestCheckpoint } from '@rowkey/store'

/** Signs cursors and checks them, so that a client can pass them on but not make them. */
export interface CursorSeal {
  close(cursor: string): Promise<string>
  /** @throws RowkeyError `CURSOR_INVALID` if it was not closed with the same secret */
  open(sealed: string): Promise<string>
}

/** Cursors as they are. */
export const noSeal: CursorSeal = {
  close: (cursor) => Promise.resolve(cursor),
  open: (cursor) => Promise.resolve(cursor),
}

/** HMAC-SHA256 over the text of the cursor, behind a dot, by Web Crypto (Node.js 20, browsers). */
export function hmacSeal(secret: string | Uint8Array): CursorSeal {
  const utf8 = new TextEncoder()
  const raw = typeof secret === 'string' ? utf8.encode(secret) : new Uint8Array(secret)
  const { subtle } = globalThis.crypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = subtle.importKey('raw', raw, algorithm, false, ['sign', 'verify'])
  key.catch(() => undefined) // whoever seals first hears of it
  return {
    async close(cursor) {
      const signature = new Uint8Array(await subtle.sign(algorithm, await key, utf8.encode(cursor)))
      return `${cursor}.${toHex(signature)}`
    },
    async open(sealed) {
      const isShort = sealed.length <= longestCheckpoint + 65
      const [, cursor, signature] = (isShort ? /^([\w-]*)\.([0-9a-f]{64})$/.exec(sealed) : undefined) ?? []
      if (
        cursor !== undefined &&
        signature !== undefined &&
        (await subtle.verify(algorithm, await key, new Uint8Array(fromHex(signature)), utf8.encode(cursor)))
      )
        return cursor
      const reason = 'it was not signed with the secret of this mapper'
      throw new RowkeyError(
        'CURSOR_INVALID',
        `the cursor cannot be read: ${reason}. Pass the text of a page's cursor unchanged, or start without one.`,
        { reason },
      )
    },
  }
}
