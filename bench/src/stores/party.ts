import type { Contestant, Operation } from '../duel/contestant.js'
import { inputCount } from '../measure/loop.js'
import { Random } from '../measure/random.js'
import type { Sample } from './model.js'

/** Rows of one call. */
const together = 64
const batch = 100
const loaded = 1000
export const scanned = 100

export const operationNames = {
  put: 'put',
  putTogether: `put, ${together} at once`,
  putMany: `put ${batch}`,
  load: `load ${loaded}`,
  get: 'get',
  getTogether: `get, ${together} at once`,
  getMany: `get ${batch}`,
  scan: `scan ${scanned}`,
  reverse: `reverse ${scanned}`,
  spread: `scan ${scanned} of 16 buckets`,
} as const

/** One way to use a store. `Given` is what its user has at hand: an instance, a row by position, an object. What is absent it cannot do. */
export interface Way<Given, Found> {
  /** What the user has at hand, made before the clock runs. */
  given(sample: Sample): Given
  /** What is found, for the check. */
  sampleOf(found: Found): Sample
  put?(row: Given): Promise<unknown>
  /** Instead of as many calls of `put` at once. */
  putTogether?(rows: readonly Given[]): Promise<unknown>
  putMany?(rows: readonly Given[]): Promise<unknown>
  load?(rows: readonly Given[]): Promise<unknown>
  get?(key: Given): Promise<Found | undefined>
  getTogether?(keys: readonly Given[]): Promise<unknown>
  /** Of one host and event. */
  getMany?(keys: readonly Given[]): Promise<readonly (Found | undefined)[]>
  /** The first rows of a host and event from a time on. */
  scan?(from: Given): Promise<readonly Found[]>
  /** The last ones up to a time. */
  reverse?(to: Given): Promise<readonly Found[]>
  /** As `scan`, in the table whose hosts are in 16 buckets. */
  spread?(from: Given): Promise<readonly Found[]>
  /** After the check, before the clock runs. */
  checked?(): void
}

/** Rows that a way finds in its store. */
export interface Stored {
  /** In the table of hosts; written by the way itself unless it cannot. */
  readonly groups: readonly (readonly Sample[])[]
  /** In the table of buckets; one host and event. */
  readonly spread: readonly Sample[]
}

/** The operations of a way, which were checked to give what was put. */
export async function partyOf<Given, Found>(way: Way<Given, Found>, { groups, spread }: Stored): Promise<Contestant> {
  const given = groups.map((group) => group.map((sample) => way.given(sample)))
  await check(way, groups, given, spread)
  way.checked?.()
  // Nothing that is timed writes the rows that are read: until a store cleans up, it reads a row more slowly the more often it was replaced, and
  // a way that writes faster has replaced its rows more often.
  const read = given.slice(0, given.length / 2)
  const written = given.slice(read.length)
  const random = new Random(11)
  const rowFrom = (rows: readonly (readonly Given[])[]): Given => random.pick(random.pick(rows))
  const run = (rows: readonly (readonly Given[])[], count: number): readonly Given[] => {
    const group = random.pick(rows)
    const from = random.integer(group.length - count + 1)
    return group.slice(from, from + count)
  }
  const startOf = (rows: readonly Given[], from: number): Given => rows[from + random.integer(rows.length - scanned + 1)] as Given
  // Of several hosts and events, as they would come from a file.
  const manyRuns = (): readonly Given[] => Array.from({ length: loaded / batch }, () => run(written, batch)).flat()
  const wide = spread.map((sample) => way.given(sample))
  const { put, putMany, load, get, getMany, scan, reverse } = way
  const operations: Record<string, Operation | undefined> = {
    [operationNames.put]: operation(put, () => rowFrom(written)),
    [operationNames.putTogether]: operation(way.putTogether ?? (put && atOnce(put)), () =>
      Array.from({ length: together }, () => rowFrom(written)),
    ),
    [operationNames.putMany]: operation(putMany, () => run(written, batch)),
    [operationNames.load]: operation(load, manyRuns, 16),
    [operationNames.get]: operation(get, () => rowFrom(read)),
    [operationNames.getTogether]: operation(way.getTogether ?? (get && atOnce(get)), () =>
      Array.from({ length: together }, () => rowFrom(read)),
    ),
    [operationNames.getMany]: operation(getMany, () => run(read, batch)),
    [operationNames.scan]: operation(scan, () => startOf(random.pick(read), 0)),
    [operationNames.reverse]: operation(reverse, () => startOf(random.pick(read), scanned - 1)),
    [operationNames.spread]: operation(way.spread, () => startOf(wide, 0)),
  }
  const present = Object.entries(operations).filter((entry): entry is [string, Operation] => entry[1] !== undefined)
  return { operations: Object.fromEntries(present), facts: {} }
}

/** With inputs that stand ready; few different ones where each is long. */
function operation<T>(
  call: ((input: T) => Promise<unknown>) | undefined,
  input: () => T,
  different: number = inputCount,
): Operation | undefined {
  if (call === undefined) return undefined
  const inputs = Array.from({ length: different }, input)
  const repeated = Array.from({ length: inputCount }, (_, i) => inputs[i % different] as T)
  return { inputs: repeated, run: call, isAsync: true }
}

const atOnce =
  <T>(call: (input: T) => Promise<unknown>) =>
  (inputs: readonly T[]): Promise<unknown> =>
    Promise.all(inputs.map((input) => call(input)))

/** Everything that is timed is done once, and gives what it must. */
async function check<Given, Found>(
  way: Way<Given, Found>,
  groups: readonly (readonly Sample[])[],
  given: readonly (readonly Given[])[],
  spread: readonly Sample[],
): Promise<void> {
  const samples = groups[1] as readonly Sample[]
  const rows = given[1] as readonly Given[]
  const from = samples.length - scanned - 2
  const expect = (what: string, found: readonly (Found | undefined)[], wanted: readonly (Sample | undefined)[]): void => {
    const text = (all: readonly (Sample | undefined)[]): string => JSON.stringify(all.map((one) => one && inOrder(one)))
    const seen = found.map((one) => (one === undefined ? undefined : way.sampleOf(one)))
    if (text(seen) !== text(wanted)) throw new Error(`${what} does not give what was put: ${text(seen).slice(0, 300)}`)
  }
  const [sample] = samples as [Sample]
  const changed = { ...sample, message: 'changed' }
  await way.put?.(way.given(changed))
  if (way.put && way.get) expect('put', [await way.get(way.given(sample))], [changed])
  await way.put?.(way.given(sample))
  await way.putMany?.(rows.slice(1, 1 + batch))
  await way.load?.(given.slice(2).flat().slice(0, loaded))
  if (way.get) expect('get', [await way.get(rows[7] as Given)], [samples[7]])
  if (way.getMany) expect('getMany', await way.getMany(rows.slice(5, 5 + batch)), samples.slice(5, 5 + batch))
  if (way.scan) expect('scan', await way.scan(rows[from] as Given), samples.slice(from, from + scanned))
  if (way.reverse) expect('reverse', await way.reverse(rows[scanned] as Given), samples.slice(1, scanned + 1).reverse())
  if (way.spread) expect('spread', await way.spread(way.given(spread[3] as Sample)), spread.slice(3, 3 + scanned))
}

const inOrder = ({ host, event, at, level, message }: Sample): Sample => ({ host, event, at, level, message })
