import { RowkeyError, show } from '@rowkey/store'

/** Options of `redis()`. */
export interface RedisStoreOptions {
  /**
   * Into how many shards new tables are divided, where their partition can have more than 256 values; 1 to 1,024, default 64. A table keeps
   * the number it was made with. A shard is one slot of a Redis Cluster, so this is the most nodes that a table can use.
   */
  readonly shards?: number
}

export const defaultShards = 64
const mostShards = 1024

/** @throws RowkeyError `INVALID_OPTION` */
export function checkOptions(options: RedisStoreOptions): void {
  if (typeof options !== 'object' || (options as RedisStoreOptions | null) === null) {
    throw invalidOption('options', options, 'Give an object, or leave it out.')
  }
  const { shards = defaultShards, ...others } = options
  const [unknown] = Object.entries(others)
  if (unknown !== undefined) throw invalidOption(unknown[0], unknown[1], `There is 'shards' only.`)
  if (!Number.isInteger(shards) || shards < 1 || shards > mostShards) {
    throw invalidOption('shards', shards, `Give an integer from 1 to ${mostShards}.`)
  }
}

function invalidOption(option: string, given: unknown, remedy: string): RowkeyError<'INVALID_OPTION'> {
  const value = show(given)
  return new RowkeyError('INVALID_OPTION', `redis(): ${option} cannot be ${value}. ${remedy}`, { option, value })
}
