import { bucket, hashPrefix, kuduHash, type HashBucket, type ModuloBucket, type Salt } from '#codec'
import type { Duration } from '../definition/duration.js'
import type { IndexDefinition } from '../definition/index-definition.js'
import type { ClassDecoratorFor, TableDecorator, TableOptions, Uncalled } from './decorator-types.js'
import { refuseUncalledClass } from './not-called.js'
import { recordClass, type Constructor } from './record.js'

/**
 * The table that a class describes. A subclass needs a `@Table` of its own. It inherits the columns and, unless it declares its own, salt
 * and expiry.
 *
 * The decorator only records; problems are reported as `INVALID_SCHEMA` when the model is first used.
 *
 * @example
 * ```ts
 * @Table('log_events', { writes: 'plain' })
 * class LogEvent { @KeyColumn(1, text()) host!: string }
 * schemaOf(LogEvent).name //=> 'log_events'
 * ```
 */
export function Table(model: Constructor, context?: DecoratorContext): Uncalled<"write @Table('…'), with parentheses">
export function Table<W extends 'plain' | 'conditional' = 'conditional'>(name: string, options?: TableOptions<W>): TableDecorator<W>
export function Table(name: unknown, options: unknown = {}): unknown {
  refuseUncalledClass("Table('name')", [name])
  return decorate((record) => record.tables.unshift({ name: name as string, options: options as TableOptions }))
}

/**
 * A bucket number before the key, see {@link bucket}. Several salts are levels; the top decorator is the first.
 *
 * @throws RowkeyError `INVALID_LAYOUT` if the count or the seed is invalid.
 * @example
 * ```ts
 * @Table('log_events')
 * @Bucket({ of: 'host', count: 16 })
 * class LogEvent { @KeyColumn(1, text()) host!: string }
 * schemaOf(LogEvent).salt[0]?.count //=> 16
 * ```
 */
export function Bucket<const N extends string>(options: HashBucket<N> | ModuloBucket<N>): ClassDecoratorFor<N> {
  refuseUncalledClass("Bucket({ of: 'column', count: 16 })", [options])
  return salted(bucket(options))
}

/**
 * The first hex digits of an MD5 before the key, see {@link hashPrefix}.
 *
 * @throws RowkeyError `INVALID_LAYOUT` if the number of digits is not from 1 to 8.
 * @example
 * ```ts
 * @Table('orders')
 * @HashPrefix({ of: 'buyer', digits: 4 })
 * class Order { @KeyColumn(1, text()) buyer!: string }
 * schemaOf(Order).salt[0]?.digits //=> 4
 * ```
 */
export function HashPrefix<const N extends string>(options: {
  readonly of: N | readonly N[]
  readonly digits?: number
  readonly separator?: string
}): ClassDecoratorFor<N> {
  refuseUncalledClass("HashPrefix({ of: 'column' })", [options])
  return salted(hashPrefix(options))
}

/**
 * A hash level as in Apache Kudu, see {@link kuduHash}. Several are levels; the top decorator is the first.
 *
 * @throws RowkeyError `INVALID_LAYOUT` if the number of buckets or the seed is invalid.
 * @example
 * ```ts
 * @Table('metrics')
 * @KuduHash({ of: 'host', count: 16 })
 * class Metric { @KeyColumn(1, text()) host!: string }
 * schemaOf(Metric).salt[0]?.count //=> 16
 * ```
 */
export function KuduHash<const N extends string>(options: {
  readonly of: N | readonly N[]
  readonly count: number
  readonly seed?: number
}): ClassDecoratorFor<N> {
  refuseUncalledClass("KuduHash({ of: 'column', count: 16 })", [options])
  return salted(kuduHash(options))
}

/**
 * Rows expire this long after they were written; a write can set another expiry for its row. Reads never return expired rows, and
 * `db.purgeExpired()` removes them.
 *
 * @param duration a whole number followed by ms, s, m, h, d or w; or `'never'`: then only rows that are written with an expiry expire
 * @example
 * ```ts
 * @Table('sessions')
 * @Ttl('30d')
 * class Session { @KeyColumn(1, text()) id!: string }
 * schemaOf(Session).ttl //=> 2592000000
 * ```
 */
export function Ttl(duration: Duration | 'never'): ClassDecoratorFor {
  refuseUncalledClass("Ttl('30d')", [duration])
  return decorate((record) => record.ttls.unshift(duration))
}

/**
 * Another key to scan the rows by, in a table of its own that the writes of the rows keep. The top decorator is the first.
 *
 * @param name how scans name it; the table of its entries is called after the table and it
 * @example
 * ```ts
 * @Table('orders')
 * @Index('byBuyer', { partition: ['buyer'], key: ['at'] })
 * class Order {
 *   @KeyColumn(1, text()) no!: string
 *   @Column(text()) buyer!: string
 *   @Column(timestamp('ms')) at!: Date
 * }
 * schemaOf(Order).indexes[0]?.schema.name //=> 'orders_byBuyer'
 * ```
 */
export function Index<const N extends string>(name: string, definition: IndexDefinition<N>): ClassDecoratorFor<N> {
  refuseUncalledClass("Index('name', { key: ['column'] })", [name])
  return decorate((record) => record.indexes.unshift([name, definition]))
}

function salted(salt: Salt): Recorder {
  return decorate((record) => record.salts.unshift(salt))
}

/** Whether the class fits is up to the compiler; here the change is only recorded. */
type Recorder = (target: Constructor, context?: unknown) => never

function decorate(change: Parameters<typeof recordClass>[2]): Recorder {
  return (target, context) => {
    recordClass(target, context, change)
    return undefined as never
  }
}
