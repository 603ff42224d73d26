// Tested by faults.test.ts and conditional.test.ts.
import {
  inParallel,
  isUnconditional,
  type Mutation,
  type Outcome,
  partitionOf,
  rowWeight,
  type TableSchema,
  type WriteOptions,
} from 'rowkey/adapter'
import { maxBatch } from './capabilities.js'
import { isSamePartition } from './keys.js'
import { outcomeOfThrown } from './outcomes.js'
import { writeTogether } from './writes/conditional.js'
import { writePlain } from './writes/plain.js'
import type { TableContext } from './context.js'

/** The table of a schema. */
export type TableOf = (schema: TableSchema) => TableContext

/** Mutations of one partition that are sent together. */
interface Group {
  readonly table: TableContext
  readonly partition: string
  readonly mutations: Mutation[]
  /** Their indexes in the batch. */
  readonly indexes: number[]
  weight: number
}

/** Batches that are sent concurrently. */
const width = 32

/** Writes in any order. One that fails does not stop the others. */
export async function writeEach(batch: readonly Mutation[], options: WriteOptions, tableOf: TableOf): Promise<readonly Outcome[]> {
  const [only] = batch
  if (batch.length === 1 && only !== undefined) {
    const table = tableOf(only.schema)
    if (table.schema.writes === 'plain') return [await writePlain(table, batch, options)]
  }
  const outcomes = new Array<Outcome>(batch.length)
  await inParallel(groupsOf(batch, tableOf), width, async (group) => {
    const given = await (group.table.schema.writes === 'plain' ? writePlainGroup(group, options) : writeGroup(group, options))
    for (let at = 0; at < given.length; at++) outcomes[group.indexes[at] as number] = given[at] as Outcome
  })
  return outcomes
}

/** All or none. The core has checked that they are of one partition. */
export async function writeAll(batch: readonly Mutation[], options: WriteOptions, tableOf: TableOf): Promise<readonly Outcome[]> {
  const [first] = batch
  if (first === undefined) return []
  const table = tableOf(first.schema)
  if (table.schema.writes === 'conditional') {
    const write = (): Promise<readonly Outcome[]> => orFailed(batch, () => writeTogether(table, batch, options))
    return table.session.turns.run(partitionOf(first), write, options.cancellation)
  }
  const outcome = await writePlain(table, batch, options)
  return batch.map(() => outcome)
}

async function writeGroup({ table, partition, mutations }: Group, options: WriteOptions): Promise<readonly Outcome[]> {
  const write = (some: readonly Mutation[]): Promise<readonly Outcome[]> => orFailed(some, () => writeTogether(table, some, options))
  const writeInTurn = async (): Promise<readonly Outcome[]> => {
    const outcomes = await write(mutations)
    return mutations.length > 1 && outcomes[0]?.kind === 'failed' ? eachAlone(mutations, write) : outcomes
  }
  return table.session.turns.run(partition, writeInTurn, options.cancellation)
}

async function writePlainGroup({ table, mutations }: Group, options: WriteOptions): Promise<readonly Outcome[]> {
  const outcome = await writePlain(table, mutations, options)
  if (mutations.length > 1 && outcome.kind === 'failed')
    return eachAlone(mutations, async (some) => [await writePlain(table, some, options)])
  return mutations.map(() => outcome)
}

/** If a batch is refused because of one mutation, each is sent alone, so that the others are applied. */
async function eachAlone(
  mutations: readonly Mutation[],
  write: (some: readonly Mutation[]) => Promise<readonly Outcome[]>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const mutation of mutations) outcomes.push(...(await write([mutation])))
  return outcomes
}

/** Turns an error that is about the mutations into their outcome. */
async function orFailed(mutations: readonly Mutation[], write: () => Promise<readonly Outcome[]>): Promise<readonly Outcome[]> {
  try {
    return await write()
  } catch (cause) {
    const outcome = outcomeOfThrown(cause)
    return mutations.map(() => outcome)
  }
}

/** Max weight of one batch, in the unit of {@link rowWeight}. The server accepts mutations of more than ten times as many bytes. */
const groupWeight = 1 << 19

/** Unconditional mutations of a partition are sent together. One with a condition is sent alone, so that it fails alone. */
function groupsOf(batch: readonly Mutation[], tableOf: TableOf): readonly Group[] {
  const groups: Group[] = []
  const open = new Map<string, Group>()
  let before: Mutation | undefined
  let table: TableContext | undefined
  let partition = ''
  for (let index = 0; index < batch.length; index++) {
    const mutation = batch[index] as Mutation
    if (table === undefined || before?.schema !== mutation.schema) table = tableOf(mutation.schema)
    if (before?.schema !== mutation.schema || !isSamePartition(mutation.schema, before.row, mutation.row)) partition = partitionOf(mutation)
    before = mutation
    // A mutation that is sent again has a timestamp of its own, and a request has only one.
    const isAlone = !isUnconditional(mutation) || table.session.timestamps.of(mutation) !== undefined
    const weight = isAlone ? 0 : rowWeight(mutation.row)
    const found = isAlone ? undefined : open.get(partition)
    if (found !== undefined && found.indexes.length < maxBatch && found.weight + weight <= groupWeight) {
      found.mutations.push(mutation)
      found.indexes.push(index)
      found.weight += weight
      continue
    }
    const group: Group = { table, partition, mutations: [mutation], indexes: [index], weight }
    groups.push(group)
    if (!isAlone) open.set(partition, group)
  }
  return groups
}
