import { bool, bytes, desc, int64, json, type JsonData, nullable, random, text, timestamp } from 'rowkey/codec'
import {
  Bucket,
  Check,
  Column,
  HashPrefix,
  type InferInsert,
  type InferKey,
  type InferPatch,
  type InferRow,
  type InferWhere,
  KeyColumn,
  PartitionKey,
  RowKey,
  schemaOf,
  Table,
  type TableSchema,
  Ttl,
  Version,
} from 'rowkey'
import { same } from './same.js'

type Status = 'ok' | 'failed'
type HostName = string & { readonly brand: 'host' }

@Table('log_events', { writes: 'plain', stores: { cassandra: { compression: 'lz4' } } })
@Bucket({ of: ['host', 'event'], count: 16 })
class LogEvent {
  declare [RowKey]?: 'host' | 'event' | 'at'
  @KeyColumn(1, text()) host!: string
  @KeyColumn(2, text()) event!: string
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @Column(nullable(text())) message!: string | null
  @Column(nullable(text())) note?: string | null
  @Column(text<Status>()) status!: Status
  @Column(text<HostName>()) peer!: HostName
  @Column(int64()) size!: bigint
  @Column(int64({ as: 'number' })) sizeN!: number
  @Column(int64({ as: 'text' })) sizeT!: string
  @Column(nullable(bytes())) raw!: Uint8Array | null
  @Column(bool()) ok!: boolean
  get label(): string {
    return this.host
  }
  greet(): string {
    return this.host
  }
}

@Table('stocks')
@Ttl('30d')
class Stock {
  @KeyColumn(1, text()) sku!: string
  @Check() @Column(int64()) count!: bigint
  @Version() readonly rev!: string
}
class OtherRevs {
  @Version() a!: string
  @Version() b?: string | null
  @Version() c!: string | null
}
same<InferInsert<typeof Stock>, { sku: string; count: bigint; rev?: string }>(true)

class Bad {
  // @ts-expect-error versions are text
  @Version() rev!: number
  // @ts-expect-error not a check
  @Check('email') @Column(text()) mail!: string
  // @ts-expect-error bigint column, string field
  @Column(int64()) a!: string
  // @ts-expect-error number field
  @Column(int64()) b!: number
  // @ts-expect-error nullable column, field without null
  @Column(nullable(text())) c!: string
  // @ts-expect-error field with null, column without
  @Column(text()) d!: string | null
  // @ts-expect-error narrower field
  @Column(text()) e!: Status
  // @ts-expect-error Date column, number field
  @KeyColumn(1, timestamp('ms')) f!: number
  // @ts-expect-error wider field
  @Column(text<Status>()) g!: string
  // @ts-expect-error a method is no column
  @Column(text()) h(): string {
    return ''
  }
  // @ts-expect-error unknown is not string
  @Column(text()) i!: unknown
  // @ts-expect-error desc keeps the value type
  @PartitionKey(1, desc(text())) j!: Date
}
class Optional {
  // @ts-expect-error a required column cannot be optional
  @KeyColumn(1, text()) a?: string
  // @ts-expect-error a required column cannot be optional
  @Column(int64()) b?: bigint
  // @ts-expect-error private
  @Column(text()) private c!: string
  // @ts-expect-error private
  @Column(text()) #d!: string
  @Column(int64({ default: random(9) })) e?: bigint
  @Column(nullable(text())) f?: string | null
  // @ts-expect-error an optional nullable field needs null too
  @Column(nullable(text())) g?: string
  // @ts-expect-error no accessor
  @Column(text()) accessor h = ''
  @Column(text()) readonly k!: string
}
// @ts-expect-error no field evnt
@Bucket({ of: ['host', 'evnt'], count: 16 })
class BadBucket {
  @KeyColumn(1, text()) host!: string
}
// @ts-expect-error no field hst
@HashPrefix({ of: 'hst' })
class BadPrefix {
  @KeyColumn(1, text()) host!: string
}
// @ts-expect-error not a way to write
@Table('bad_writes', { writes: 'fast' })
class BadWrites {
  @KeyColumn(1, text()) host!: string
}
// A model is constructed without arguments.
same<InferRow<typeof WithArgument>, never>(true)
class WithArgument {
  host: string
  constructor(host: string) {
    this.host = host
  }
}

// What a repository of the class will take.
declare const getKey: (key: InferKey<typeof LogEvent>) => void
declare const insert: (row: InferInsert<typeof LogEvent>) => void
declare const patch: (patch: InferPatch<typeof LogEvent>) => void
declare const scan: (where: InferWhere<typeof LogEvent>) => void

const key = { host: 'h', event: 'e', at: new Date() }
same<InferRow<typeof LogEvent>, LogEvent>(true)
same<InferKey<typeof LogEvent>, { host: string; event: string; at: Date }>(true)
same<ReturnType<typeof schemaOf>, TableSchema>(true)
schemaOf(LogEvent)
getKey(key)
// @ts-expect-error not the full key
getKey({ host: 'h' })
// @ts-expect-error not a key column
getKey({ ...key, message: 'x' })

const whole = {
  host: 'h',
  event: 'e',
  at: new Date(),
  status: 'ok',
  peer: 'p' as HostName,
  size: 1n,
  sizeN: 1,
  sizeT: '1',
  ok: true,
} as const
insert(whole)
insert(new LogEvent())
insert({ ...whole, message: null, note: 'n' })
// @ts-expect-error wrong type
insert({ ...whole, size: 1 })
// @ts-expect-error unknown column
insert({ ...whole, sise: 1 })
patch({ message: 'x' })
// @ts-expect-error key column
patch({ host: 'x' })

scan({ host: 'h', event: { in: ['a'] }, at: { gte: new Date() }, message: { isNull: true }, size: { gt: 1n }, status: 'ok' })
// @ts-expect-error unknown column
scan({ hots: 'h' })
// @ts-expect-error methods are no columns
scan({ greet: 'h' })
// @ts-expect-error wrong operator
scan({ at: { startsWith: 'h' } })
// @ts-expect-error not nullable
scan({ host: { isNull: true } })
// @ts-expect-error wrong type
scan({ size: { gt: 1 } })

// ---- without the marker
@Table('no_marker')
class NoMarker {
  @KeyColumn(1, text()) a!: string
  @Column(text()) b!: string
}
declare const freeKey: (key: InferKey<typeof NoMarker>) => void
freeKey({ a: 'x' })
// @ts-expect-error unknown column
freeKey({ c: 'x' })

@Table('child')
class Child extends NoMarker {
  @Column(nullable(text())) c!: string | null
}
same<InferInsert<typeof Child>, { a: string; b: string; c?: string | null }>(true)

export { Bad, OtherRevs, BadBucket, BadPrefix, BadWrites, Optional }

// A class factory: the type of a field is a parameter of the function.
export const envelope = <T extends JsonData<T>>() => {
  abstract class Envelope {
    @Column(json<T>()) data!: T
    @Column(nullable(json<T>())) more!: T | null
  }
  return Envelope
}
export const stated = <S extends string>() => {
  abstract class Stated {
    @Column(text<S>()) state!: S
    // @ts-expect-error the field has another type than the column
    @Column(text<S>()) wider!: S | number
    // @ts-expect-error a column of all texts on a field of some
    @Column(text()) some!: S
  }
  return Stated
}
