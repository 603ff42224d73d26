// The client's own policy is not asked: one that ignores an error makes an empty answer of it, one that lowers the consistency an old one.

/** What the driver asks of a retry policy. */
interface Decision {
  readonly decision: 0 | 1
  readonly useCurrentHost?: boolean
}
interface Asked {
  readonly nbRetry: number
}
type Decide = (asked: Asked) => Decision
type Policy = Readonly<Record<'onUnavailable' | 'onReadTimeout' | 'onRequestError' | 'onWriteTimeout', Decide>>

const rethrow: Decision = Object.freeze({ decision: 0 })
const onNextHost: Decision = Object.freeze({ decision: 1, useCurrentHost: false })
const once: Decide = ({ nbRetry }) => (nbRetry > 0 ? rethrow : onNextHost)
const never: Decide = () => rethrow

/** Of reads: once more, on another host, at the same consistency. */
export const retryReads: Policy = { onUnavailable: once, onReadTimeout: once, onRequestError: once, onWriteTimeout: never }

/** Of writes: whoever knows what they are decides. */
export const neverRetry: Policy = { onUnavailable: never, onReadTimeout: never, onRequestError: never, onWriteTimeout: never }
