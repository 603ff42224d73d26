// Tested by negotiation.test.ts.
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { MalformedAnswer } from '../malformed-answer.js'
import { Refused } from './refused.js'
import { Tunnel } from './tunnel.js'

/** Who uses a channel. */
export interface ChannelUser {
  /** @throws MalformedAnswer or Refused, with which the channel ends */
  read(chunk: Buffer): void
  closed(reason: string, cause?: Error): void
}

/** Bytes to and from a server, in clear text and then perhaps by TLS. */
export class Channel {
  readonly #socket: Socket
  /** Who hears of it. It changes when the server has let the user in. */
  user: ChannelUser
  #tunnel: Tunnel | undefined
  #tls: TLSSocket | undefined
  #isRaw = false
  #isClosed = false

  constructor(address: string, idleTimeout: number, user: ChannelUser, connected: () => void) {
    this.user = user
    const at = address.lastIndexOf(':')
    const host = address.slice(0, at).replace(/^\[(.*)\]$/, '$1')
    this.#socket = connect({ host, port: Number(address.slice(at + 1)), noDelay: true })
    this.#socket.once('connect', connected)
    this.#socket.on('data', (chunk) => this.#received(chunk))
    this.#socket.on('end', () => this.close('the server closed the connection'))
    this.#socket.on('close', () => this.close('the connection was closed'))
    this.#socket.on('error', (error) => this.close('the connection broke', error))
    this.#socket.on('timeout', () => this.onIdle?.())
    this.#socket.setTimeout(idleTimeout)
  }

  /** Nothing was sent or received for some time. */
  onIdle: (() => void) | undefined

  /** Whether the server is on this machine: nobody else can read along. */
  get isLocal(): boolean {
    const { remoteAddress = '', localAddress } = this.#socket
    return remoteAddress === localAddress || remoteAddress === '::1' || /^(::ffff:)?127\./.test(remoteAddress)
  }

  get isSecure(): boolean {
    return this.#tls !== undefined
  }

  write(bytes: Uint8Array, done?: () => void): void {
    if (this.#isClosed) return
    const stream = this.#tls ?? this.#socket
    stream.write(bytes, done)
  }

  /** What is written until `uncork` leaves together. */
  cork(): void {
    ;(this.#tls ?? this.#socket).cork()
  }

  uncork(): void {
    ;(this.#tls ?? this.#socket).uncork()
  }

  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#socket.ref()
    else this.#socket.unref()
  }

  /** Begins TLS. `wrap` puts records of its handshake into messages. */
  async secure(options: ConnectionOptions, wrap: (records: Buffer) => Buffer): Promise<void> {
    const tunnel = new Tunnel(this.#socket, wrap)
    this.#tunnel = tunnel
    const tls = connectTls({ ...options, socket: tunnel })
    tls.on('error', (error: Error) => this.close('TLS failed', error))
    tls.on('close', () => this.close('the connection was closed'))
    tls.on('end', () => this.close('the server closed the connection'))
    await new Promise<void>((resolve) => {
      tls.once('secureConnect', resolve)
      tls.once('close', resolve)
    })
    if (this.#isClosed) return
    this.#isRaw = true
    if (tls.getProtocol() === 'TLSv1.3') await tunnel.finished()
    tunnel.unwrap()
    tls.on('data', (chunk: Buffer) => this.#guarded(() => this.user.read(chunk)))
    this.#tls = tls
  }

  /** Records of the handshake that came in messages. */
  handshake(records: Uint8Array): void {
    if (this.#tunnel === undefined || this.#isRaw) throw new MalformedAnswer('it negotiates TLS where nothing of it is next')
    this.#tunnel.receive(records)
  }

  /** The first reason is told. */
  close(reason: string, cause?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#tls?.destroy()
    this.#tunnel?.destroy()
    this.#socket.destroy()
    this.user.closed(reason, cause)
  }

  #received(chunk: Buffer): void {
    if (this.#isClosed) return
    this.#guarded(() => {
      if (this.#isRaw || this.#tunnel?.isFinished === true) this.#tunnel?.receive(chunk)
      else this.user.read(chunk)
    })
  }

  #guarded(read: () => void): void {
    try {
      read()
    } catch (error) {
      if (error instanceof Refused) this.close(error.message, error)
      else if (error instanceof MalformedAnswer) this.close(`an answer was wrong: ${error.message}`, error)
      else throw error
    }
  }
}
