// Tested by proto.test.ts.
import { empty, signedToken, type EmptyPB, type SignedTokenPB } from './common.js'
import { bool, bytes, int32, int64, message, names, optional, repeated, required, text, uint32, type Named, type Shape } from './codec.js'

interface RemoteMethodPB {
  readonly serviceName: string
  readonly methodName: string
}

/** With it a request that is sent again is executed once. */
export interface RequestIdPB {
  readonly clientId: string
  readonly seqNo: bigint
  readonly firstIncompleteSeqNo: bigint
  readonly attemptNo: bigint
}

export interface RequestHeader {
  readonly callId: number
  readonly remoteMethod?: RemoteMethodPB | undefined
  readonly timeoutMillis?: number | undefined
  readonly requiredFeatureFlags: readonly number[]
  readonly requestId?: RequestIdPB | undefined
}
export const requestHeader: Shape<RequestHeader> = message<RequestHeader>({
  callId: required(3, int32),
  remoteMethod: optional(6, message<RemoteMethodPB>({ serviceName: required(1, text), methodName: required(2, text) })),
  timeoutMillis: optional(10, uint32),
  requiredFeatureFlags: repeated(11, uint32),
  requestId: optional(
    15,
    message<RequestIdPB>({
      clientId: required(1, text),
      seqNo: required(2, int64),
      firstIncompleteSeqNo: required(3, int64),
      attemptNo: required(4, int64),
    }),
  ),
})

export interface ResponseHeader {
  readonly callId: number
  readonly isError?: boolean | undefined
  readonly sidecarOffsets: readonly number[]
}
export const responseHeader: Shape<ResponseHeader> = message<ResponseHeader>({
  callId: required(1, int32),
  isError: optional(2, bool),
  sidecarOffsets: repeated(3, uint32),
})

const rpcErrors = {
  FATAL_UNKNOWN: 10,
  ERROR_APPLICATION: 1,
  ERROR_NO_SUCH_METHOD: 2,
  ERROR_NO_SUCH_SERVICE: 3,
  ERROR_SERVER_TOO_BUSY: 4,
  ERROR_INVALID_REQUEST: 5,
  ERROR_REQUEST_STALE: 6,
  ERROR_UNAVAILABLE: 7,
  ERROR_INVALID_AUTHORIZATION_TOKEN: 17,
  FATAL_SERVER_SHUTTING_DOWN: 11,
  FATAL_INVALID_RPC_HEADER: 12,
  FATAL_DESERIALIZING_REQUEST: 13,
  FATAL_VERSION_MISMATCH: 14,
  FATAL_UNAUTHORIZED: 15,
  FATAL_INVALID_AUTHENTICATION_TOKEN: 16,
  FATAL_INVALID_JWT: 18,
} as const
/** `ErrorStatusPB.RpcErrorCodePB` */
export type RpcErrorCode = Named<typeof rpcErrors>

export interface ErrorStatusPB {
  readonly message: string
  readonly code?: RpcErrorCode | undefined
  readonly unsupportedFeatureFlags: readonly number[]
}
export const errorStatus: Shape<ErrorStatusPB> = message<ErrorStatusPB>({
  message: required(1, text),
  code: optional(2, names(rpcErrors)),
  unsupportedFeatureFlags: repeated(3, uint32),
})

const features = { UNKNOWN: 0, APPLICATION_FEATURE_FLAGS: 1, TLS: 2, TLS_AUTHENTICATION_ONLY: 3 } as const
const steps = {
  UNKNOWN: 999,
  NEGOTIATE: 1,
  SASL_SUCCESS: 0,
  SASL_INITIATE: 2,
  SASL_CHALLENGE: 3,
  SASL_RESPONSE: 4,
  TLS_HANDSHAKE: 5,
  TOKEN_EXCHANGE: 6,
  JWT_EXCHANGE: 7,
} as const
type NegotiateStep = Named<typeof steps>

/** Types are told by being there. */
export interface AuthenticationTypePB {
  readonly sasl?: EmptyPB | undefined
  readonly token?: EmptyPB | undefined
  readonly certificate?: EmptyPB | undefined
  readonly jwt?: EmptyPB | undefined
}
interface SaslMechanismPB {
  readonly mechanism: string
}
interface JwtRawPB {
  readonly jwtData?: Uint8Array | undefined
}
export interface NegotiatePB {
  readonly supportedFeatures: readonly Named<typeof features>[]
  readonly step: NegotiateStep
  readonly token?: Uint8Array | undefined
  readonly saslMechanisms: readonly SaslMechanismPB[]
  readonly tlsHandshake?: Uint8Array | undefined
  readonly channelBindings?: Uint8Array | undefined
  readonly authnTypes: readonly AuthenticationTypePB[]
  readonly authnToken?: SignedTokenPB | undefined
  readonly nonce?: Uint8Array | undefined
  readonly jwtRaw?: JwtRawPB | undefined
}
export const negotiate: Shape<NegotiatePB> = message<NegotiatePB>({
  supportedFeatures: repeated(1, names(features)),
  step: required(2, names(steps)),
  token: optional(3, bytes),
  saslMechanisms: repeated(4, message<SaslMechanismPB>({ mechanism: required(2, text) })),
  tlsHandshake: optional(5, bytes),
  channelBindings: optional(6, bytes),
  authnTypes: repeated(
    7,
    message<AuthenticationTypePB>({
      sasl: optional(1, empty),
      token: optional(2, empty),
      certificate: optional(3, empty),
      jwt: optional(4, empty),
    }),
  ),
  authnToken: optional(8, signedToken),
  nonce: optional(9, bytes),
  jwtRaw: optional(10, message<JwtRawPB>({ jwtData: optional(1, bytes) })),
})

export interface ConnectionContextPB {
  readonly encodedNonce?: Uint8Array | undefined
}
export const connectionContext: Shape<ConnectionContextPB> = message<ConnectionContextPB>({ encodedNonce: optional(3, bytes) })
