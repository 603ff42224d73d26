// Tested by client-options.test.ts and catalogs.test.ts.
import { InFlight, OpenTables } from '@rowkey/store/adapter'
import type {
  Adapter,
  Capabilities,
  Mutation,
  Outcome,
  Row,
  SupportsDdl,
  SupportsLocate,
  TableCatalog,
  TableSchema,
  TableStore,
  WriteOptions,
} from '@rowkey/store/adapter'
import { Catalogs } from './catalogs.js'
import type { Commands } from './client/commands.js'
import { warnOfEviction } from './client/eviction.js'
import { IoredisCommands } from './client/ioredis.js'
import type { RedisClient } from './client/redis-client.js'
import { TableContext } from './context.js'
import type { KeyPlan } from './ddl.js'
import { redisStore } from './description.js'
import { closedAdapter, rethrow } from './errors.js'
import { catalogKey } from './keys.js'
import { locate, type RedisAddress } from './locate.js'
import { checkClient, checkOptions, type RedisOptions } from './options.js'
import { serverScript } from './scripts/tables.js'
import { RedisTable } from './table.js'
import { write } from './write.js'

/**
 * Tables in Redis 7.0 or later, on one server or a Redis Cluster: rowkeys in sorted sets and records in hashes, in shards.
 *
 * Cost: a get is one HMGET, and a write is one script. Gets of the same tick on the same shard share one HMGET, and writes share one
 * script. A page of a scan is one script. An update reads its row first. The configuration of Redis decides what survives a crash: only
 * with `appendonly yes` and `appendfsync always` is every acknowledged write on disk.
 *
 * @param client a client of ioredis 6. `close()` does not close it.
 * @throws RowkeyError `CLIENT_OPTION` for a client that reads from replicas or changes keys, `INVALID_OPTION`
 * @example
 * ```ts
 * const client = new Redis('redis://127.0.0.1:6379')
 * const db = createMapper(redis(client))
 * await db.ensureTables([Orders])
 * await db.close()
 * await client.quit()
 * ```
 */
export function redis(client: RedisClient, options: RedisOptions = {}): RedisAdapter {
  const checked = checkOptions(options)
  checkClient(client)
  return new RedisAdapter(client, checked)
}

/** Clients that were checked, so that each causes at most one warning. */
const known = new WeakSet<RedisClient>()

/** The adapter of a Redis client, which also returns the keys of a table and where a row is. Made by {@link redis}. */
export class RedisAdapter implements Adapter, SupportsDdl<KeyPlan>, SupportsLocate<RedisAddress> {
  readonly name: string = redisStore.name
  readonly capabilities: Capabilities = redisStore.capabilities
  private readonly client: RedisClient
  private readonly commands: Commands
  private readonly shards: number
  private readonly catalogs: Catalogs
  private readonly tables = new OpenTables<TableContext>()
  private readonly calls = new InFlight(closedAdapter)

  /** @internal */
  constructor(client: RedisClient, { shards }: Required<RedisOptions>) {
    this.client = client
    this.commands = new IoredisCommands(client)
    this.shards = shards
    this.catalogs = new Catalogs(this.commands, shards)
  }

  /** Every table gets its own id when it is created. A server that was restored from a snapshot has the same, but is another process. */
  async tableId({ name }: TableSchema, { store }: TableCatalog): Promise<string | undefined> {
    if (store?.['id'] === undefined) return undefined
    const server = await this.calls.run(() =>
      this.commands.run(serverScript, [catalogKey(name)], []).catch((error: unknown) => rethrow(name, error)),
    )
    const id = Buffer.isBuffer(server) ? server.toString('latin1') : server
    return typeof id === 'string' && id !== '' ? `${id} ${String(store['id'])}` : undefined
  }

  table(schema: TableSchema, catalog: TableCatalog): TableStore {
    this.calls.mustBeOpen()
    return new RedisTable(this.tables.add(schema, new TableContext(schema, catalog, this.commands, this.calls)))
  }

  write(batch: readonly Mutation[], options: WriteOptions): Promise<readonly Outcome[]> {
    return this.calls.run(() => write(batch, this.tables.of, options))
  }

  ensureTable(schema: TableSchema): Promise<TableCatalog> {
    return this.onTables(schema.name, () => this.catalogs.ensure(schema))
  }

  describeTable(name: string): Promise<TableCatalog | undefined> {
    return this.onTables(name, () => this.catalogs.describe(name))
  }

  dropTable(name: string): Promise<void> {
    return this.onTables(name, () => this.catalogs.drop(name))
  }

  ddl(schema: TableSchema): KeyPlan {
    return redisStore.ddl(schema, { shards: this.shards })
  }

  locate(schema: TableSchema, catalog: TableCatalog, key: Row): RedisAddress {
    return locate(schema, catalog, key)
  }

  close(): Promise<void> {
    return this.calls.close()
  }

  private onTables<T>(table: string, run: () => Promise<T>): Promise<T> {
    return this.calls.run(() => {
      if (!known.has(this.client)) {
        known.add(this.client)
        void warnOfEviction(this.commands) // not awaited: a client that is connecting may silently lose an INFO
      }
      return run().catch((error: unknown) => rethrow(table, error))
    })
  }
}
