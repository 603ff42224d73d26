import { fromHex, RowkeyError, toHex } from '#codec'
import { maxCheckpointLength } from '#store/engine'

/** Signs and checks cursors and checkpoints, so that a client can pass them back but cannot forge them. */
export interface CursorSeal {
  sign(cursor: string): Promise<string>
  /** @throws RowkeyError `CURSOR_INVALID` if it was not signed with the same secret */
  verify(sealed: string, what: 'cursor' | 'checkpoint'): Promise<string>
}

/** Unsigned cursors. */
export const noSeal: CursorSeal = {
  sign: (cursor) => Promise.resolve(cursor),
  verify: (cursor) => Promise.resolve(cursor),
}

/** HMAC-SHA256 over the text of the cursor, after a dot, with Web Crypto (Node.js 20, browsers). */
export function hmacSeal(secret: string | Uint8Array): CursorSeal {
  const utf8 = new TextEncoder()
  const raw = typeof secret === 'string' ? utf8.encode(secret) : new Uint8Array(secret)
  const { subtle } = globalThis.crypto
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = subtle.importKey('raw', raw, algorithm, false, ['sign', 'verify'])
  key.catch(() => undefined) // the first call that signs gets the error
  return {
    async sign(cursor) {
      const signature = new Uint8Array(await subtle.sign(algorithm, await key, utf8.encode(cursor)))
      return `${cursor}.${toHex(signature)}`
    },
    async verify(sealed, what) {
      const isShort = sealed.length <= maxCheckpointLength + 65
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
        `the ${what} cannot be read: ${reason}. Pass the ${what} of a ${what === 'cursor' ? 'page' : 'page of readAll()'} unchanged, or start without one.`,
        { reason },
      )
    },
  }
}
