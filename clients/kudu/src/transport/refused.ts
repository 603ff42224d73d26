import type { KuduErrorCode } from '../error.js'

/** Why a server does not let calls in. The calls that wait for it turn it into a `KuduError`. */
export class Refused extends Error {
  readonly code: KuduErrorCode
  readonly status: string | undefined

  constructor(code: KuduErrorCode, message: string, status?: string) {
    super(message)
    this.code = code
    this.status = status
  }
}
