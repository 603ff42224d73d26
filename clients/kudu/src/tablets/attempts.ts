// Also tested by faults.test.ts and lost-answers.test.ts.
import { KuduError } from '../error.js'
import type { Method, TabletServerErrorPB } from '../proto/messages.js'
import type { RequestIdPB } from '../proto/rpc.js'
import type { KuduTable } from '../table.js'
import type { Connections } from '../transport/connections.js'
import type { Answered } from '../transport/pending.js'
import { said } from '../transport/refusals.js'
import type { Waiting } from '../transport/waiting.js'
import type { Locations } from './locations.js'
import type { LocatedTablet } from './partition-map.js'
import { Turns } from './turns.js'

/** What helps after a failed call to a tablet server: to wait, or to ask the masters where the tablet is now. */
type Remedy = 'wait' | 'locate'

/** An answer of a tablet server, which says in itself that it failed. */
interface TabletAnswer {
  readonly error?: TabletServerErrorPB | undefined
}

/** A request to the leader of the tablet that has a partition key. */
export interface TabletRequest<Request> {
  readonly table: KuduTable
  readonly key: Uint8Array
  /** The request is for this tablet and no other. */
  readonly id: string | undefined
  /** Reads that must be the newest go to nobody else than the leader; a follower refuses a write by itself. */
  readonly isRead: boolean
  /** When the call began. */
  readonly since: number
  readonly request: (tablet: LocatedTablet) => Request
  readonly requestId?: ((attempt: number) => RequestIdPB) | undefined
  /** Bytes of the request, if they are many. */
  readonly bytes?: number | undefined
}

/** An answer, and who gave it. */
export interface Reached<Message> extends Answered<Message> {
  readonly tablet: LocatedTablet
  readonly address: string
}

/** Milliseconds until another attempt is made, if the call waits longer: a server may be there and not work. */
export const attemptTimeout = 10_000
/** Bytes that the slowest network carries in a millisecond. */
const slowest = 256
const firstDelay = 10
const longestDelay = 1_000

/** What a tablet server said, as an error, with what helps. */
export interface Failure {
  readonly error: KuduError
  readonly remedy: Remedy | undefined
}

/** Calls the leaders of tablets, again and again until one answers, what it says is final, or the time is over. */
export class Leaders {
  readonly #connections: Connections
  readonly #locations: Locations
  readonly #turns = new Map<string, Turns>()

  constructor(connections: Connections, locations: Locations) {
    this.#connections = connections
    this.#locations = locations
  }

  /** Undefined if there is no tablet with the key any more, or another one than `id`. */
  async call<Request, Message extends TabletAnswer>(
    method: Method<Request, Message>,
    { table, key, id, isRead, since, request, requestId, bytes = 0 }: TabletRequest<Request>,
    waiting: Waiting,
  ): Promise<Reached<Message> | undefined> {
    const refused = new Set<string>()
    let isInDoubt = false
    for (let attempt = 1; ; attempt++) {
      let failure: Failure
      let address: string | undefined
      try {
        const part = this.#locations.remembered(table, key, since) ?? (await this.#locations.find(table, key, since, waiting))
        const { tablet } = part
        if (tablet === undefined || (id !== undefined && tablet.id !== id)) return undefined
        address = isRead ? tablet.leader : nextOf(tablet, refused)
        if (address === undefined) failure = leaderless(waiting, tablet)
        else {
          const answer = await this.#inTurn(address, waiting, (to) => {
            const options = { requestId: requestId?.(attempt), timeout: attemptTimeout + bytes / slowest }
            return this.#connections.call(to, method, request(tablet), waiting, options)
          })
          const { error } = answer.message
          if (error === undefined) {
            tablet.leader = address
            return { ...answer, tablet, address }
          }
          failure = failureOf(waiting, error)
        }
      } catch (error) {
        failure = failureOfAttempt(error)
      }
      if (failure.remedy === undefined) throw isInDoubt && !isRead ? doubted(failure.error) : failure.error
      isInDoubt ||= failure.error.isSent
      if (failure.remedy === 'locate') {
        if (address !== undefined) refused.add(address)
        this.#locations.forget(table, key)
      }
      await pause(waiting, attempt, failure.error)
    }
  }

  async #inTurn<Value>(address: string, waiting: Waiting, work: (address: string) => Promise<Value>): Promise<Value> {
    let turns = this.#turns.get(address)
    if (turns === undefined) this.#turns.set(address, (turns = new Turns()))
    const turn = turns.take(waiting)
    if (turn !== undefined) await turn
    try {
      return await work(address)
    } finally {
      turns.give()
    }
  }
}

/** Waits before another attempt. @throws KuduError that tells of the last failure, if the time is over */
export const pause = (waiting: Waiting, attempt: number, last: KuduError): Promise<void> =>
  waiting.sleep(Math.min(firstDelay * 2 ** (attempt - 1), longestDelay) * (0.5 + Math.random()), last)

/** The leader, or a replica that has not refused yet; when all have, they are asked again. */
function nextOf({ leader, replicas }: LocatedTablet, refused: Set<string>): string | undefined {
  if (leader !== undefined && !refused.has(leader)) return leader
  const other = replicas.find(({ address }) => !refused.has(address))
  if (other !== undefined) return other.address
  refused.clear()
  return leader ?? replicas[0]?.address
}

const leaderless = (waiting: Waiting, { id }: LocatedTablet): Failure => ({
  error: waiting.error('UNREACHABLE', `was not sent: the tablet ${id} has no leader at the moment.`, { isSent: false }),
  remedy: 'locate',
})

const locating: ReadonlySet<string> = new Set([
  'TABLET_NOT_FOUND',
  'TABLET_NOT_RUNNING',
  'TABLET_FAILED',
  'NOT_THE_LEADER',
  'WRONG_SERVER_UUID',
])

/** What a tablet server said instead of an answer. Followers say UNKNOWN_ERROR with the status ILLEGAL_STATE, so both codes count. */
export function failureOf(waiting: Waiting, { code, status }: TabletServerErrorPB): Failure {
  const isAborted = status.code === 'ABORTED'
  // After a restart a server may do an attempt from its log while another one comes: the next one is answered as that ended.
  const isRunning = status.code === 'TIMED_OUT' || status.code === 'ALREADY_PRESENT'
  // What was aborted may have reached other replicas, one of which may become the leader.
  if (isAborted || isRunning) waiting.inDoubt++
  const name = code === 'UNKNOWN_ERROR' ? status.code : code
  const kind = code === 'NOT_AUTHORIZED' || status.code === 'NOT_AUTHORIZED' ? 'NOT_AUTHORIZED' : 'SERVER'
  const serverMessage = said(status.message ?? 'no more')
  const problem = `was refused by the tablet server: ${serverMessage} (${name}).`
  return {
    error: waiting.error(kind, problem, { isSent: waiting.isSent, status: name, serverMessage }),
    remedy:
      locating.has(code) || isAborted || status.code === 'ILLEGAL_STATE'
        ? 'locate'
        : isRunning || code === 'THROTTLED' || status.code === 'SERVICE_UNAVAILABLE'
          ? 'wait'
          : undefined,
  }
}

/** What helps after an attempt that got no answer. @throws what is no error of an attempt */
export function failureOfAttempt(error: unknown): Failure {
  if (!(error instanceof KuduError)) throw error
  const { code, status } = error
  const isElsewhere = code === 'UNREACHABLE' || code === 'CONNECTION_LOST' || status === 'FATAL_SERVER_SHUTTING_DOWN'
  const isBusy = status === 'ERROR_SERVER_TOO_BUSY' || status === 'ERROR_UNAVAILABLE'
  return { error, remedy: isElsewhere ? 'locate' : isBusy ? 'wait' : undefined }
}

/** The error of an attempt after one that was sent and not answered. */
const doubted = ({ code, message, call, status, serverMessage }: KuduError): KuduError =>
  new KuduError(code, `${message} An earlier attempt was sent and not answered: it may have been executed.`, {
    call,
    isSent: true,
    status,
    serverMessage,
  })
