/** A limit for one figure of rowkey. */
export interface Goal {
  readonly contest: string
  readonly operation: string
  readonly limit: number
  /** Whom the time is divided by; 'bytes': bytes per operation instead of a time. */
  readonly against: string
}

const goal = (contest: string, operation: string, against: string, limit: number): Goal => ({ contest, operation, against, limit })

/** The hand-written code is the measure of what is possible; whoever takes rows is compared with the one that takes rows. */
export const handWrittenGoal = 'hand-written'

/** Ahead of every peer, with room for noise. */
export const goals: readonly Goal[] = [
  goal('W1', 'encode', 'ordered-binary', 0.75),
  goal('W2', 'encode', 'ordered-binary', 0.75),
  goal('W3', 'encode', 'ordered-binary', 0.75),
  goal('W1', 'into', 'ordered-binary', 0.6),
  goal('W2', 'into', 'ordered-binary', 0.6),
  goal('W3', 'into', 'ordered-binary', 0.6),
  goal('W1', 'decode', 'ordered-binary', 0.75),
  goal('W2', 'decode', 'ordered-binary', 0.85),
  goal('W3', 'decode', 'ordered-binary', 0.7),
  goal('W4', 'encode', 'ordered-binary', 1),
  goal('W4', 'decode', 'ordered-binary', 0.85),
  goal('W5', 'encode', 'ordered-binary', 0.65),
  goal('W5', 'decode', 'fdb-tuple', 0.15),
  goal('W1', 'encode', 'msgpackr', 0.7),
  goal('W1', 'decode', 'msgpackr', 0.7),
  ...['W1', 'W5'].flatMap((contest) => ['encode', 'into', 'decode'].map((operation) => goal(contest, operation, handWrittenGoal, 1.15))),
  goal('W1', 'encode', 'bytes', 130),
  goal('W1', 'into', 'bytes', 0),
  // Nobody reaches it who keeps the result: two strings (56 bytes), the number (16) and what holds them (48 as an object, 72 as an array).
  goal('W1', 'decode', 'bytes', 100),
  goal('compare', 'compare', 'rowkey, encode rows, compareBytes', 0.1),
  goal('md5', 'prefix', 'createHash', 0.3),
  goal('md5', 'prefix', 'crypto.hash', 0.6),
]
