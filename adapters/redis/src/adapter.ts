// Tested by options.test.ts and catalogs.test.ts.
import {
  BaseAdapter,
  BaseTable,
  InFlight,
  OpenTables,
  type Row,
  type SupportsDdl,
  type SupportsLocate,
  type TableCatalog,
  type TableReads,
  type TableSchema,
} from 'rowkey/adapter'
import { Catalogs } from './catalogs.js'
import type { Commands } from './client/commands.js'
import { warnOfEviction } from './client/eviction.js'
import { IoredisCommands } from './client/ioredis.js'
import type { RedisClient } from './client/redis-client.js'
import { TableContext } from './context.js'
import type { KeyPlan } from './ddl.js'
import { redisStore } from './description.js'
import { closedAdapter, rethrow } from './errors.js'
import { FullScan } from './full-scan.js'
import { getRows } from './get.js'
import { catalogKey } from './keys.js'
import { locate, type RedisAddress } from './locate.js'
import { checkClient, checkOptions, type RedisOptions } from './options.js'
import { Purge } from './purge.js'
import { scanSlice } from './scan.js'
import { serverScript } from './scripts/tables.js'
import { splits } from './splits.js'
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

const reads: TableReads<TableContext> = {
  get: getRows,
  scan: scanSlice,
  fullScan: (table, checkpoint, options) => new FullScan(table, checkpoint, options),
  splits,
  purge: (table) => new Purge(table),
}

/** The adapter of a Redis client, which also returns the keys of a table and where a row is. Made by {@link redis}. */
export class RedisAdapter extends BaseAdapter implements SupportsDdl<KeyPlan>, SupportsLocate<RedisAddress> {
  private readonly commands: Commands
  private readonly shards: number

  /** @internal */
  constructor(client: RedisClient, { shards }: Required<RedisOptions>) {
    const commands = new IoredisCommands(client)
    const catalogs = new Catalogs(commands, shards)
    const calls = new InFlight(closedAdapter)
    const tables = new OpenTables<TableContext>()
    const onTables = <T>(table: string, run: () => Promise<T>): Promise<T> => {
      if (!known.has(client)) {
        known.add(client)
        void warnOfEviction(commands) // not awaited: a client that is connecting may silently lose an INFO
      }
      return run().catch((error: unknown) => rethrow(table, error))
    }
    super({
      store: redisStore,
      calls,
      catalogs: {
        ensure: (schema) => onTables(schema.name, () => catalogs.ensure(schema)),
        describe: (name) => onTables(name, () => catalogs.describe(name)),
        drop: (name) => onTables(name, () => catalogs.drop(name)),
      },
      open: (schema, catalog) => new BaseTable(tables.add(schema, new TableContext(schema, catalog, commands, calls)), reads),
      write: (batch, options) => write(batch, tables.of, options),
    })
    this.commands = commands
    this.shards = shards
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

  ddl(schema: TableSchema): KeyPlan {
    return redisStore.ddl(schema, { shards: this.shards })
  }

  locate(schema: TableSchema, catalog: TableCatalog, key: Row): RedisAddress {
    return locate(schema, catalog, key)
  }
}
