import { MalformedAnswer } from '../malformed-answer.js'
import { decode } from '../proto/codec.js'
import type { SignedTokenPB } from '../proto/messages.js'
import { connectionContext, errorStatus, negotiate, type AuthenticationTypePB, type NegotiatePB } from '../proto/rpc.js'
import { Channel, type ChannelUser } from './channel.js'
import { answerOf, frameOf, Frames } from './frames.js'
import { Refused } from './refused.js'
import { said } from './refusals.js'
import type { Security } from './security.js'

const preamble = Buffer.from('hrpc\x09\0\0', 'latin1')
const negotiationId = -33
const contextId = -3
const maxNegotiationBytes = 2 ** 20
/** A server that refuses a new token as well is told the user. */
const maxRefusals = 2

type Message = Partial<NegotiatePB> & Pick<NegotiatePB, 'step'>
const framed = (message: Message): Buffer =>
  frameOf(negotiationId, negotiate, { supportedFeatures: [], saslMechanisms: [], authnTypes: [], ...message })

/** Opens a channel and tells the server who is there. @throws Refused, MalformedAnswer or what the connection failed with */
export async function openChannel(address: string, idleTimeout: number, security: Security, within: AbortSignal): Promise<Channel> {
  for (let refusals = 0; ;) {
    if (within.aborted) throw new Error(String(within.reason))
    const negotiation = new Negotiation(address, idleTimeout, security, within, refusals < maxRefusals)
    try {
      return await negotiation.run()
    } catch (error) {
      negotiation.end()
      if (within.aborted || !(error instanceof Refused)) throw error
      const { status } = error
      const { token } = negotiation
      // There is no code for it: only words say that it is about TLS.
      const isAboutTls = status === 'FATAL_UNAUTHORIZED' && /\bTLS\b|unencrypted/.test(error.message) && !negotiation.offersTls
      if (isAboutTls && security.demanded(address)) continue
      if (status !== 'FATAL_INVALID_AUTHENTICATION_TOKEN' || token === undefined) throw error
      refusals++
      await security.refused(token)
    }
  }
}

/** One attempt. */
class Negotiation implements ChannelUser {
  readonly #address: string
  readonly #security: Security
  readonly #frames: Frames
  readonly #channel: Channel
  readonly #arrived: NegotiatePB[] = []
  #wake: (() => void) | undefined
  readonly #canOfferToken: boolean
  #isConnected = false
  #failure: Error | undefined
  offersTls = false
  /** The token that was offered. */
  token: SignedTokenPB | undefined

  constructor(address: string, idleTimeout: number, security: Security, within: AbortSignal, canOfferToken: boolean) {
    this.#canOfferToken = canOfferToken
    this.#address = address
    this.#security = security
    this.#frames = new Frames(maxNegotiationBytes, (frame) => this.#read(frame))
    this.#channel = new Channel(address, idleTimeout, this, () => {
      this.#isConnected = true
      this.#wake?.()
    })
    within.addEventListener('abort', () => this.#channel.close(String(within.reason)), { once: true })
  }

  read(chunk: Buffer): void {
    this.#frames.push(chunk)
  }

  closed(reason: string, cause?: Error): void {
    this.#failure ??= cause instanceof Refused ? cause : new Error(reason, cause === undefined ? undefined : { cause })
    this.#wake?.()
  }

  end(): void {
    this.#channel.close('it was given up')
  }

  async run(): Promise<Channel> {
    const channel = this.#channel
    await this.#until(() => this.#isConnected)
    channel.write(preamble)
    const { authnTypes, supportedFeatures, saslMechanisms } = await this.#offer()
    if (this.offersTls && supportedFeatures.includes('TLS')) await this.#secure()
    else if (this.#security.needsTls) throw new Refused('NOT_AUTHORIZED', 'it offers no TLS, which the option tls demands')
    const [chosen = { sasl: {} }] = authnTypes
    if (chosen.token !== undefined && this.token !== undefined) await this.#exchange({ step: 'TOKEN_EXCHANGE', authnToken: this.token })
    else if (chosen.jwt !== undefined) await this.#exchange({ step: 'JWT_EXCHANGE', jwtRaw: { jwtData: Buffer.from(this.#webToken()) } })
    else if (saslMechanisms.some(({ mechanism }) => mechanism === 'PLAIN')) await this.#sasl()
    else throw new Refused('NOT_AUTHORIZED', 'it takes no user without Kerberos, which this client does not have. Give the option token')
    await this.#tellContext()
    if (this.#failure !== undefined) throw this.#failure
    if (!this.#frames.isEmpty) throw new MalformedAnswer('more came than it was asked for')
    return channel
  }

  #offer(): Promise<NegotiatePB> {
    const { isLocal } = this.#channel
    this.offersTls = this.#security.offersTls(this.#address, isLocal)
    const hasWebToken = this.#security.webToken !== undefined
    if (this.offersTls && this.#canOfferToken) this.token = this.#security.tokenFor(this.#address)
    const authnTypes: AuthenticationTypePB[] = [hasWebToken ? { jwt: {} } : { sasl: {} }]
    if (this.token !== undefined) authnTypes.push({ token: {} })
    return this.#ask({
      step: 'NEGOTIATE',
      // Without encryption TLS would be of no use but for tokens, and then it is wanted as well.
      supportedFeatures: this.offersTls ? ['APPLICATION_FEATURE_FLAGS', 'TLS'] : ['APPLICATION_FEATURE_FLAGS'],
      authnTypes,
      saslMechanisms: hasWebToken ? [] : [{ mechanism: 'PLAIN' }],
    })
  }

  async #secure(): Promise<void> {
    const wrap = (records: Buffer): Buffer => framed({ step: 'TLS_HANDSHAKE', tlsHandshake: records })
    await this.#channel.secure(this.#security.tlsOptions(this.token !== undefined), wrap)
    if (this.#failure !== undefined) throw this.#failure
    if (!this.#frames.isEmpty) throw new MalformedAnswer('clear text came after TLS began')
  }

  #webToken(): string {
    const { webToken } = this.#security
    if (webToken === undefined || !this.#channel.isSecure) throw new MalformedAnswer('it wants a web token that was not offered')
    return webToken
  }

  async #exchange(message: Message): Promise<void> {
    if (!this.#channel.isSecure) throw new MalformedAnswer('it wants a token without TLS')
    await this.#ask(message)
  }

  async #sasl(): Promise<void> {
    const token = Buffer.from(`\0${this.#security.user}\0`)
    await this.#ask({ step: 'SASL_INITIATE', token, saslMechanisms: [{ mechanism: 'PLAIN' }] }, 'SASL_SUCCESS')
  }

  /** It must not share a TLS record with the first call: the server would never see the rest. */
  async #tellContext(): Promise<void> {
    const frame = frameOf(contextId, connectionContext, {})
    if (!this.#channel.isSecure) this.#channel.write(frame)
    else {
      let isWritten = false
      this.#channel.write(frame, () => {
        isWritten = true
        this.#wake?.()
      })
      await this.#until(() => isWritten)
    }
  }

  async #ask(message: Message, expected: NegotiatePB['step'] = message.step): Promise<NegotiatePB> {
    this.#channel.write(framed(message))
    await this.#until(() => this.#arrived.length > 0)
    const answer = this.#arrived.shift() as NegotiatePB
    if (answer.step !== expected) throw new MalformedAnswer(`it negotiates ${answer.step} where ${expected} is next`)
    return answer
  }

  async #until(holds: () => boolean): Promise<void> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure
      if (holds()) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #read(frame: Buffer): void {
    const { header, message } = answerOf(frame)
    if (header.callId !== negotiationId) throw new MalformedAnswer(`it negotiates with the number ${header.callId}`)
    if (header.isError === true) {
      const { code, message: words } = decode(errorStatus, message)
      throw new Refused('NOT_AUTHORIZED', said(words), code)
    }
    const answer = decode(negotiate, message)
    if (answer.step === 'TLS_HANDSHAKE') this.#channel.handshake(answer.tlsHandshake ?? new Uint8Array())
    else if (this.#arrived.length > 0) throw new MalformedAnswer('more came than it was asked for')
    else this.#arrived.push(answer)
    this.#wake?.()
  }
}
