// Also tested by negotiation.test.ts.
import type { ConnectionOptions } from 'node:tls'
import type { Settings } from '../options.js'
import type { SignedTokenPB } from '../proto/messages.js'

/** Who the client is, and what it has learnt about that. All connections share it. */
export class Security {
  readonly #settings: Settings
  readonly #masters: ReadonlySet<string>
  /** Servers on this machine that demand TLS. */
  readonly #demanding = new Set<string>()
  #certificates: readonly string[] = []
  #token: SignedTokenPB | undefined
  /** Asks a master for a new token. */
  renew: (() => Promise<unknown>) | undefined

  constructor(settings: Settings) {
    this.#settings = settings
    this.#masters = new Set(settings.masters)
  }

  get user(): string {
    return this.#settings.user
  }

  /** A JSON Web Token. */
  get webToken(): string | undefined {
    return this.#settings.token
  }

  /** What a master said: a token for other servers, and who has signed their certificates. */
  learn(token: SignedTokenPB | undefined, certificates: readonly Uint8Array[]): void {
    if (token === undefined || certificates.length === 0) return
    this.#token = token
    this.#certificates = certificates.map(pemOf)
  }

  /** Whether TLS is offered. To this machine it is not, as long as a server does not demand it: nobody reads along there. */
  offersTls(address: string, isLocal: boolean): boolean {
    const { tls } = this.#settings
    return tls.use === 'always' || (tls.use === 'default' && (!isLocal || this.#demanding.has(address)))
  }

  get needsTls(): boolean {
    return this.#settings.tls.use === 'always'
  }

  /** A server demanded TLS. @returns whether it is worth another attempt */
  demanded(address: string): boolean {
    if (this.#settings.tls.use !== 'default' || this.#demanding.has(address)) return false
    this.#demanding.add(address)
    return true
  }

  /** The token of a master, for servers that can be trusted. A master gives one to those who show something else. */
  tokenFor(address: string): SignedTokenPB | undefined {
    return this.#masters.has(address) ? undefined : this.#token
  }

  /** A server refused the token: it is asked for again. */
  async refused(token: SignedTokenPB): Promise<void> {
    if (this.#token !== token) return
    this.#token = undefined
    await this.renew?.()
  }

  /** A token goes only to a server whose certificate was signed by those that the client trusts. The names in certificates are not of hosts. */
  tlsOptions(hasToken: boolean): ConnectionOptions {
    const { options } = this.#settings.tls
    const ca = [options.ca ?? [], hasToken ? this.#certificates : []].flat()
    const isVerified = ca.length > 0
    return { rejectUnauthorized: isVerified, checkServerIdentity: () => undefined, ...options, ...(isVerified ? { ca } : {}) }
  }
}

const pemOf = (der: Uint8Array): string => {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
