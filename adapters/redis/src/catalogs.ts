import {
  catalogOfJSON,
  catalogToJSON,
  grownCatalog,
  newCatalog,
  parseObject,
  storeUnavailable,
  type TableCatalog,
  type TableSchema,
} from 'rowkey/adapter'
import { randomUUID } from 'node:crypto'
import type { Commands, Reply, Script } from './client/commands.js'
import { catalogUnusable } from './errors.js'
import { tableKeys } from './ddl.js'
import { catalogKey, keysOf, type ShardKeys } from './keys.js'
import { newPlacement, placementOf } from './shards/placement.js'
import { countOf, kindOf, replyFault, textOf } from './shards/replies.js'
import { prepareScript, removeScript, swapScript } from './scripts/tables.js'

/** A catalog as it is stored. While a table is being created or dropped, no caller finds it. */
interface Stored {
  readonly catalog: TableCatalog
  readonly state: 'creating' | 'ready' | 'dropping'
  /** The value of the key. It is only replaced if it is still this one. */
  readonly text: string
}

/** How often a catalog is read again because others have changed it, or have its shards. */
const maxRounds = 50

/** The tables. Every change is one compare-and-set in Redis, so any number of processes may make changes. */
export class Catalogs {
  private readonly commands: Commands
  private readonly shards: number

  /** @param shards of new tables whose partitions are hashed */
  constructor(commands: Commands, shards: number) {
    this.commands = commands
    this.shards = shards
  }

  /** @throws RowkeyError `STORE_UNUSABLE` */
  async describe(name: string): Promise<TableCatalog | undefined> {
    const stored = await this.read(name)
    return stored?.state === 'ready' ? stored.catalog : undefined
  }

  /** Creates a table, or adds the columns that it lacks. Finishes what another process has begun, also a drop. */
  async ensure(schema: TableSchema): Promise<TableCatalog> {
    const { name } = schema
    for (let round = 0; round < maxRounds; round++) {
      const stored = await this.read(name)
      if (stored === undefined) {
        await this.swap(name, '', jsonOf(this.newCatalog(schema), 'creating'))
      } else if (stored.state === 'dropping') {
        await this.remove(name, stored)
      } else if (stored.state === 'creating') {
        await this.prepare(name, stored)
      } else {
        const grown = grownCatalog(stored.catalog, schema)
        if (grown === stored.catalog || (await this.swap(name, stored.text, jsonOf(grown, 'ready')))) return grown
      }
    }
    throw beingChanged(name)
  }

  /** Drops a table by its catalog, which determines its keys. */
  async drop(name: string): Promise<void> {
    for (let round = 0; round < maxRounds; round++) {
      const stored = await this.read(name)
      if (stored === undefined) return
      if (stored.state === 'dropping') return this.remove(name, stored)
      await this.swap(name, stored.text, jsonOf(stored.catalog, 'dropping'))
    }
    throw beingChanged(name)
  }

  private newCatalog(schema: TableSchema): TableCatalog {
    return { ...newCatalog(schema), store: { id: randomUUID(), ...newPlacement(schema, this.shards) } }
  }

  private async prepare(name: string, { catalog, text }: Stored): Promise<void> {
    const id = idOf(catalog)
    await Promise.all(shardsOf(name, catalog).map((shard) => this.prepareShard(name, shard, id)))
    if (await this.swap(name, text, jsonOf(catalog, 'ready'))) return
    // Another process has finished it. If the table was dropped after that, shards that were prepared here must not remain.
    const now = await this.read(name)
    if (now === undefined || idOf(now.catalog) !== id) await this.removeShards(name, catalog)
  }

  /**
   * A shard may still belong to a table that was dropped. Its id is read before the catalog, and ids are never used again, so an id that is
   * not in the catalog is of a dropped table.
   */
  private async prepareShard(name: string, shard: ShardKeys, id: string): Promise<void> {
    let dead = ''
    for (let round = 0; round < maxRounds; round++) {
      const reply = await this.commands.run(prepareScript, keysOf(shard), [id, dead])
      const found = textOf(reply)
      if (found === undefined || (found === dead && dead !== '')) throw replyFault(name, kindOf(reply))
      if (found === '') return
      const living = await this.read(name)
      if (living === undefined || idOf(living.catalog) !== id) return
      dead = found
    }
    throw beingChanged(name)
  }

  private async remove(name: string, { catalog, text }: Stored): Promise<void> {
    await this.removeShards(name, catalog)
    await this.swap(name, text, '')
  }

  private async removeShards(name: string, catalog: TableCatalog): Promise<void> {
    const id = idOf(catalog)
    await Promise.all(shardsOf(name, catalog).map((shard) => this.count(name, removeScript, keysOf(shard), [id])))
  }

  private async swap(name: string, from: string, to: string): Promise<boolean> {
    return (await this.count(name, swapScript, [catalogKey(name)], [from, to])) === 1
  }

  /** The number that a script returns. @throws RowkeyError `ADAPTER_FAULT` */
  private async count(name: string, script: Script, keys: readonly string[], args: readonly string[]): Promise<number> {
    const reply = await this.commands.run(script, keys, args)
    const count = countOf(reply)
    if (count === undefined) throw replyFault(name, kindOf(reply))
    return count
  }

  private async read(name: string): Promise<Stored | undefined> {
    const key = catalogKey(name)
    const reply: Reply = await this.commands.get(key)
    if (reply === null) return undefined
    if (!Buffer.isBuffer(reply)) throw replyFault(name, kindOf(reply))
    const text = reply.toString()
    return { ...parsed(key, text), text }
  }
}

const jsonOf = (catalog: TableCatalog, state: Stored['state']): string => JSON.stringify({ ...catalogToJSON(catalog), state })

/** Every time the adapter looked, others had changed the catalog. */
const beingChanged = (name: string): Error =>
  storeUnavailable('redis', 'refused', new Error(`other processes are changing table '${name}'`))

const idOf = (catalog: TableCatalog): string => catalog.store?.['id'] as string

function shardsOf(name: string, catalog: TableCatalog): readonly ShardKeys[] {
  return tableKeys(name, placementOf(catalog) as NonNullable<ReturnType<typeof placementOf>>).shardKeys
}

/** The catalog that a key contains. @throws RowkeyError `STORE_UNUSABLE` */
function parsed(key: string, text: string): Omit<Stored, 'text'> {
  const found = parseObject(text) as { readonly format?: unknown; readonly state?: unknown } | undefined
  if (typeof found?.format === 'number' && found.format > 1) throw catalogUnusable(key, 'newer')
  const { state, ...others } = found ?? {}
  const catalog = catalogOfJSON(others)
  if (catalog === undefined || typeof idOf(catalog) !== 'string' || placementOf(catalog) === undefined || !isState(state)) {
    throw catalogUnusable(key, 'damaged')
  }
  return { catalog, state }
}

const isState = (state: unknown): state is Stored['state'] => state === 'creating' || state === 'ready' || state === 'dropping'
