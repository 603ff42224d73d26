import { inParallel, isRowkeyError, oneByteString, type Mutation, type Outcome, type TableSchema, type WriteOptions } from '@rowkey/store'
import { longestBatch } from './capabilities.js'
import { writeTogether } from './conditional-writes.js'
import { NotSent } from './not-sent.js'
import { unprocessed } from './outcomes.js'
import { writePlain } from './plain-writes.js'
import type { CassandraTable } from './table.js'
import type { Turns } from './turns.js'

/** Where the rows of a mutation live. */
export type TableOf = (schema: TableSchema) => CassandraTable

/** Mutations that go to the server at once, all of one partition. */
interface Group {
  readonly table: CassandraTable
  readonly partition: string
  readonly indexes: number[]
}

/** Batches that are on their way at a time. */
const width = 32

/** Writes in any order; what fails does not stop the others. */
export async function writeEach(
  batch: readonly Mutation[],
  options: WriteOptions,
  tableOf: TableOf,
  turns: Turns,
): Promise<readonly Outcome[]> {
  const outcomes = new Array<Outcome>(batch.length)
  await inParallel(groupsOf(batch, tableOf), width, async (group) => {
    const mutations = group.indexes.map((i) => batch[i] as Mutation)
    const given = await writeGroup(group, mutations, options, turns)
    group.indexes.forEach((index, at) => (outcomes[index] = given[at] as Outcome))
  })
  return outcomes
}

/** All or none; the core has seen to it that they are of one partition. */
export async function writeAll(
  batch: readonly Mutation[],
  options: WriteOptions,
  tableOf: TableOf,
  turns: Turns,
): Promise<readonly Outcome[]> {
  const [first] = batch
  if (first === undefined) return []
  const table = tableOf(first.schema)
  if (table.schema.writes === 'conditional') {
    return turns.take(partitionOf(table, first), () => orFailed(batch, () => writeTogether(table, batch, options)), options.cancellation)
  }
  return orFailed(batch, async () => {
    const outcome = await writePlain(table, batch, options)
    return batch.map(() => outcome)
  })
}

async function writeGroup(
  { table, partition }: Group,
  mutations: readonly Mutation[],
  options: WriteOptions,
  turns: Turns,
): Promise<readonly Outcome[]> {
  if (table.schema.writes === 'plain') return writePlainGroup(table, mutations, options)
  const write = (some: readonly Mutation[]): Promise<readonly Outcome[]> => orFailed(some, () => writeTogether(table, some, options))
  const writeAtTurn = async (): Promise<readonly Outcome[]> => {
    const outcomes = await write(mutations)
    return mutations.length > 1 && outcomes[0]?.kind === 'failed' ? eachAlone(mutations, write) : outcomes
  }
  return turns.take(partition, writeAtTurn, options.cancellation)
}

async function writePlainGroup(table: CassandraTable, mutations: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
  const write = (some: readonly Mutation[]): Promise<readonly Outcome[]> =>
    orFailed(some, async () => {
      const outcome = await writePlain(table, some, options)
      return some.map(() => outcome)
    })
  const outcomes = await write(mutations)
  return mutations.length > 1 && outcomes[0]?.kind === 'failed' ? eachAlone(mutations, write) : outcomes
}

/** One that is refused takes the others of its batch along, though nothing is wrong with them. */
async function eachAlone(
  mutations: readonly Mutation[],
  write: (some: readonly Mutation[]) => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const mutation of mutations) outcomes.push(...(await write([mutation])))
  return outcomes
}

/** What is wrong with mutations is their outcome. */
async function orFailed(mutations: readonly Mutation[], write: () => Promise<readonly Outcome[]>): Promise<readonly Outcome[]> {
  try {
    return await write()
  } catch (cause) {
    if (cause instanceof NotSent) return mutations.map(() => unprocessed)
    if (isRowkeyError(cause, 'ATOMIC_SCOPE')) throw cause // of the batch, not of a mutation
    if (isRowkeyError(cause)) return mutations.map(() => ({ kind: 'failed', cause }))
    throw cause
  }
}

/** Bytes of one batch; what the server takes at once is sixteen times as much. */
const groupBytes = 1 << 20

/** Unconditional mutations of a partition go together; one with a condition goes alone, so that it fails alone. */
function groupsOf(batch: readonly Mutation[], tableOf: TableOf): readonly Group[] {
  const groups: Group[] = []
  const open = new Map<string, { readonly group: Group; weight: number }>()
  batch.forEach((mutation, index) => {
    const table = tableOf(mutation.schema)
    const partition = partitionOf(table, mutation)
    // What is sent again has its own timestamp, which goes for the whole request.
    const isAlone =
      mutation.version !== undefined ||
      (mutation.kind !== 'put' && mutation.kind !== 'delete') ||
      table.session.timestamps.of(mutation) !== undefined
    const weight = isAlone ? 0 : weightOf(mutation)
    const found = isAlone ? undefined : open.get(partition)
    if (found !== undefined && found.group.indexes.length < longestBatch && found.weight + weight <= groupBytes) {
      found.group.indexes.push(index)
      found.weight += weight
      return
    }
    const group: Group = { table, partition, indexes: [index] }
    groups.push(group)
    if (!isAlone) open.set(partition, { group, weight })
  })
  return groups
}

function weightOf({ row }: Mutation): number {
  let weight = 0
  for (const value of row) weight += typeof value === 'string' ? 3 * value.length : value instanceof Uint8Array ? value.length : 16
  return weight
}

function partitionOf({ schema }: CassandraTable, { row }: Mutation): string {
  const { layout, keyLength, name } = schema
  const key = row.slice(0, keyLength)
  return `${name} ${oneByteString(layout.partition(layout.bucketOf(key), key))}`
}
