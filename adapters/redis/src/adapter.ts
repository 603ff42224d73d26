import { hintsOf, Operations } from '@rowkey/store'
import type { Adapter, Defining, Locating, Mutation, Outcome, Row, TableCatalog, TableSchema, WriteOptions } from '@rowkey/store'
import { capabilities } from './capabilities.js'
import { Catalogs } from './catalogs.js'
import { checkClient, type RedisClient } from './client-options.js'
import type { Commands } from './commands.js'
import { closed, tableMissing, toRowkeyError } from './errors.js'
import { warnOfEviction } from './eviction.js'
import { IoredisCommands } from './ioredis.js'
import { keyPlan, type KeyPlan } from './key-plan.js'
import { locate, type RedisAddress } from './locate.js'
import { checkOptions, defaultShards, type RedisStoreOptions } from './options.js'
import { RedisTable } from './table-store.js'
import { write } from './write.js'

/** The adapter that `redis()` makes. */
export interface RedisAdapter extends Adapter, Defining<KeyPlan>, Locating<RedisAddress> {}

/**
 * Tables in Redis 7.0 or later, on one server or a Redis Cluster: rowkeys in sorted sets, records in hashes, spread over shards.
 *
 * Cost: a get is one HMGET, which gets of the same tick share; a page of a scan is one script; so is a write, which writes of the same tick to
 * the same shard share. An update reads first. What Redis keeps when it crashes is set there: only with `appendonly yes` and
 * `appendfsync always` is everything that was acknowledged on the disk.
 *
 * @param client of ioredis 6; it stays the caller's: `close()` does not close it
 * @throws RowkeyError `CLIENT_OPTION` for a client that reads from replicas, or that changes keys; `INVALID_OPTION`
 * @example
 * ```ts
 * const client = new Redis('redis://127.0.0.1:6379')
 * const db = createMapper(redis(client))
 * await db.ensureTables([Orders])
 * await db.close()
 * await client.quit()
 * ```
 */
export function redis(client: RedisClient, options: RedisStoreOptions = {}): RedisAdapter {
  checkOptions(options)
  checkClient(client)
  return new Store(client, options.shards ?? defaultShards)
}

/** Clients that were looked at: there is one warning for each. */
const known = new WeakSet<RedisClient>()

class Store implements RedisAdapter {
  readonly name = 'redis'
  readonly capabilities = capabilities
  private readonly client: RedisClient
  private readonly commands: Commands
  private readonly shards: number
  private readonly catalogs: Catalogs
  private readonly tables = new WeakMap<TableSchema, RedisTable>()
  private readonly operations = new Operations(closed)

  constructor(client: RedisClient, shards: number) {
    this.client = client
    this.commands = new IoredisCommands(client)
    this.shards = shards
    this.catalogs = new Catalogs(this.commands, shards)
  }

  table(schema: TableSchema, catalog: TableCatalog): RedisTable {
    this.operations.mustBeOpen()
    hintsOf(this, schema)
    const table = new RedisTable(schema, catalog, this.commands, this.operations)
    this.tables.set(schema, table)
    return table
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    return this.operations.run(async () => write(batch, this.tableOf, options))
  }

  ensureTable(schema: TableSchema, _found: TableCatalog | undefined): Promise<TableCatalog> {
    // Not `found`: it may be older than the table.
    return this.change(() => {
      hintsOf(this, schema)
      return this.catalogs.ensure(schema)
    })
  }

  describeTable(name: string): Promise<TableCatalog | undefined> {
    return this.change(() => this.catalogs.describe(name))
  }

  dropTable(name: string): Promise<void> {
    return this.change(() => this.catalogs.drop(name))
  }

  close(): Promise<void> {
    return this.operations.close()
  }

  ddl(schema: TableSchema): KeyPlan {
    hintsOf(this, schema)
    return keyPlan(schema, this.shards)
  }

  locate(schema: TableSchema, catalog: TableCatalog, key: Row): RedisAddress {
    return locate(schema, catalog, key)
  }

  private change<T>(run: () => Promise<T>): Promise<T> {
    return this.operations.run(async () => {
      try {
        if (!known.has(this.client)) {
          known.add(this.client)
          void warnOfEviction(this.commands) // nobody waits: a client that is connecting may lose an INFO without a word
        }
        return await run()
      } catch (error) {
        throw toRowkeyError(error)
      }
    })
  }

  private readonly tableOf = (schema: TableSchema): RedisTable => {
    const table = this.tables.get(schema)
    if (table === undefined) throw tableMissing(schema.name)
    return table
  }
}
