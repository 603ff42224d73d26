import { checkOptionNames, invalidOption, type StoreDescription } from '#store/adapter'
import { memoryStore } from './description.js'

/** Options of `memory()`. */
export interface MemoryOptions {
  /**
   * Another store, for tests of what will run on that: the store in memory gets its name, capabilities and limits, its names and hints, and
   * `ddl()`. So it refuses what that store refuses, with the same code, and no server is needed. Each adapter exports the description of its
   * store: `redisStore`, `dynamodbStore`. An adapter is one too.
   */
  readonly like?: StoreDescription
}

/** What the store in memory is. @throws RowkeyError `INVALID_OPTION` */
export function storeOf(options: MemoryOptions): StoreDescription {
  checkOptionNames('memory', options, ['like'])
  const { like = memoryStore } = options
  if (isDescription(like)) return like
  throw invalidOption('memory', 'like', like, 'Give the description of a store, such as redisStore of @rowkey/redis.')
}

function isDescription(given: unknown): boolean {
  const { name, capabilities } = Object(given) as Partial<StoreDescription>
  return typeof name === 'string' && typeof capabilities?.atomic === 'object' && typeof capabilities.limits === 'object'
}
