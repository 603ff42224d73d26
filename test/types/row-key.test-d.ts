import {
  Column,
  createMapper,
  defineTable,
  type InferInsert,
  type InferKey,
  type InferPatch,
  type InferRow,
  type InferWhere,
  KeyColumn,
  memory,
  PartitionKey,
  RowKey,
  Table,
  Version,
} from 'rowkey'
import { bool, desc, json, nullable, random, text, timestamp, uint32, ulid } from 'rowkey/codec'
import type { InferFullWhere, InferWrites } from 'rowkey/internal'
import { same } from './same.js'

// A class that says everything in [RowKey] has the types of the same table by defineTable().
@Table('orders')
class Order {
  declare [RowKey]?: {
    partition: ['buyer']
    key: ['at', 'no']
    value: 'note' | 'cents'
    default: 'no' | 'state' | 'paid'
    version: 'rev'
    other: 'total' | 'label'
  }
  @PartitionKey(1, text()) readonly buyer!: string
  @KeyColumn(2, desc(timestamp('ms'))) at!: Date
  @KeyColumn(3, ulid({ default: 'ulid' })) no!: string
  @Column(text<'new' | 'done'>({ default: 'new' })) state!: 'new' | 'done'
  @Column(nullable(text({ default: 'x' }))) note!: string | null
  @Column(bool({ default: false })) paid!: boolean
  @Column(uint32()) readonly cents!: number
  @Version() readonly rev!: string
  total = 0
  get label(): string {
    return this.buyer
  }
  greet(): string {
    return this.buyer
  }
}
const Orders = defineTable('orders', {
  columns: {
    buyer: text(),
    at: desc(timestamp('ms')),
    no: ulid({ default: 'ulid' }),
    state: text<'new' | 'done'>({ default: 'new' }),
    note: nullable(text({ default: 'x' })),
    paid: bool({ default: false }),
    cents: uint32(),
  },
  partition: ['buyer'],
  key: ['at', 'no'],
  version: 'rev',
})
same<InferRow<Order>, Order>(true)
same<InferRow<typeof Order>, Order>(true)
same<InferKey<Order>, InferKey<typeof Order>>(true)
same<InferWhere<Order>, InferWhere<typeof Order>>(true)
same<InferKey<typeof Order>, InferKey<typeof Orders>>(true)
same<InferPatch<typeof Order>, InferPatch<typeof Orders>>(true)
same<InferWrites<typeof Order>, 'plain' | 'conditional'>(true)
type Assignable<A, B> = [A] extends [B] ? true : false
/** The order of the properties differs, and the version of a class is text as it is declared. */
same<Omit<InferInsert<typeof Order>, 'rev'>, Omit<InferInsert<typeof Orders>, 'rev'>>(true)
same<InferInsert<typeof Order>['rev'], string | undefined>(true)
same<Assignable<InferWhere<typeof Order>, InferWhere<typeof Orders>>, true>(true)
same<Assignable<InferWhere<typeof Orders>, InferWhere<typeof Order>>, true>(true)
same<Assignable<InferFullWhere<typeof Order>, InferFullWhere<typeof Orders>>, true>(true)
same<Assignable<InferFullWhere<typeof Orders>, InferFullWhere<typeof Order>>, true>(true)
same<keyof InferWhere<typeof Order>, keyof InferWhere<typeof Orders>>(true)

const orders = createMapper(memory()).repository(Order)
void orders.put({ buyer: 'ann', at: new Date(), cents: 1 })
void orders.insert(new Order())
void orders.put({ buyer: 'ann', at: new Date(), cents: 1, no: 'x', state: 'done', paid: true, note: null, rev: 'x' })
// @ts-expect-error read-only columns are required like others
void orders.put({ buyer: 'ann', at: new Date() })
// @ts-expect-error key columns too
void orders.put({ at: new Date(), cents: 1 })
// @ts-expect-error not stored
void orders.put({ buyer: 'ann', at: new Date(), cents: 1, total: 3 })
// @ts-expect-error not stored
void orders.put({ buyer: 'ann', at: new Date(), cents: 1, label: 'x' })
// @ts-expect-error not a state
void orders.put({ buyer: 'ann', at: new Date(), cents: 1, state: 'old' })
// @ts-expect-error part of the key
void orders.get({ buyer: 'ann', at: new Date() })
void orders.get({ buyer: 'ann', at: new Date(), no: 'x' })
void orders.update({ buyer: 'ann', at: new Date(), no: 'x' }, { state: 'done' })
// @ts-expect-error the version is no column to change
void orders.modify({ buyer: 'ann', at: new Date(), no: 'x' }, () => ({ rev: 'x' }))
// @ts-expect-error not stored
void orders.update({ buyer: 'ann', at: new Date(), no: 'x' }, { total: 1 })
// @ts-expect-error a key column
void orders.update({ buyer: 'ann', at: new Date(), no: 'x' }, { no: 'y' })
void orders.scan({ buyer: 'ann', at: { gt: new Date() }, note: { isNull: true }, state: { startsWith: 'n' } })
void orders.scan({ buyer: { in: ['ann'] } })
// @ts-expect-error the partition column is missing
void orders.scan({ no: 'x' })
// @ts-expect-error a partition column takes no range
void orders.scan({ buyer: { gt: 'x' } })
// @ts-expect-error which a full scan does not lift
void orders.scan({ no: 'x' }, { unbounded: true })
// @ts-expect-error not stored
void orders.scan({ buyer: 'ann', total: 0 })
// @ts-expect-error the version is no condition of a scan
void orders.scan({ buyer: 'ann', rev: 'x' })
void orders.update({ buyer: 'ann', at: new Date(), no: 'x' }, {}, { if: { rev: 'x', state: 'new' } })
// @ts-expect-error a version can only be equal
void orders.update({ buyer: 'ann', at: new Date(), no: 'x' }, {}, { if: { rev: { gt: 'x' } } })
const row = await orders.getOrThrow({ buyer: 'ann', at: new Date(), no: 'x' })
same<typeof row.no, string>(true)
same<typeof row.state, 'new' | 'done'>(true)

// ---- without partition columns, the first key column is bound
@Table('events', { writes: 'plain' })
class Event {
  declare readonly [RowKey]?: { readonly key: readonly ['host', 'seq']; readonly default: 'seq'; readonly writes: 'plain' }
  @KeyColumn(1, text()) host!: string
  @KeyColumn(2, uint32({ default: random(100) })) seq?: number
}
const events = createMapper(memory()).repository(Event)
same<InferKey<typeof Event>, { host: string; seq: number }>(true)
same<'insert' extends keyof typeof events ? true : false, false>(true)
void events.put({ host: 'web' })
void events.scan({ host: { startsWith: 'web' } })
// @ts-expect-error the first key column is not bound
void events.scan({ seq: 1 })
void events.scan({ seq: 1 }, { unbounded: true })

// ---- only the names of the key: as before
@Table('names')
class Names {
  declare [RowKey]?: 'id' | 'at'
  @KeyColumn(1, text()) readonly id!: string
  @KeyColumn(2, timestamp('ms', { default: 'now' })) at!: Date
  @Column(text()) readonly note!: string
  total = 0
  get label(): string {
    return this.id
  }
}
same<InferInsert<typeof Names>, { id: string; at: Date; total: number; note?: string; label?: string }>(true)
same<InferKey<typeof Names>, { id: string; at: Date }>(true)
void createMapper(memory()).repository(Names).scan({ at: new Date() })

// ---- inheritance: the last class names the columns of its parents
abstract class Stamped {
  @KeyColumn(1, text()) id!: string
  @Column(timestamp('ms', { default: 'now' })) created!: Date
}
@Table('children')
class Child extends Stamped {
  declare [RowKey]?: { key: ['id', 'no']; default: 'created' }
  @KeyColumn(2, uint32()) no!: number
}
same<InferInsert<typeof Child>, { id: string; no: number; created?: Date }>(true)

// ---- mixins
type Anything = ReturnType<typeof JSON.parse>
type AnyClass = new (...args: Anything[]) => object
function stamped<B extends AnyClass>(Base: B) {
  class Stamps extends Base {
    @Column(timestamp('ms', { default: 'now' })) created!: Date
    @Column(text<'a' | 'b'>()) kind!: 'a' | 'b'
  }
  return Stamps
}
class Empty {}
@Table('mixed')
class Mixed extends stamped(Empty) {
  declare [RowKey]?: { key: ['id']; value: 'kind'; default: 'created' }
  @KeyColumn(1, text()) id!: string
}
same<InferInsert<typeof Mixed>, { id: string; kind: 'a' | 'b'; created?: Date }>(true)

// ---- a decorator compares [RowKey] with its field
class Wrong {
  declare [RowKey]?: { partition: ['a']; key: ['b', 'c', 'd']; value: 'l'; default: 'e' | 'b'; version: 'f'; other: 'g' }
  // @ts-expect-error a partition column there
  @KeyColumn(1, text()) a!: string
  // @ts-expect-error has no default
  @KeyColumn(2, text()) b!: string
  // @ts-expect-error the third
  @KeyColumn(4, text()) c!: string
  // @ts-expect-error in the key there
  @Column(text()) d!: string
  // @ts-expect-error has no default
  @Column(text()) e!: string
  // @ts-expect-error the version there
  @Column(text()) f!: string
  // @ts-expect-error not a column there
  @Column(text()) g!: string
  // @ts-expect-error not in the key there
  @KeyColumn(5, text()) h!: string
  // @ts-expect-error not in the partition there
  @PartitionKey(5, text()) i!: string
  // @ts-expect-error has a default, which is not named
  @Column(text({ default: '' })) j!: string
  // @ts-expect-error not the version there
  @Version() k!: string
  @Column(nullable(text({ default: '' }))) l!: string | null
  // @ts-expect-error not named
  @Column(text()) m!: string
}
class WrongNames {
  declare [RowKey]?: 'a' | 'b'
  @KeyColumn(1, text()) a!: string
  // @ts-expect-error in the key there
  @Column(text()) b!: string
  // @ts-expect-error not named
  @KeyColumn(2, text()) c!: string
  // @ts-expect-error not named
  @PartitionKey(2, text()) d!: string
}
class NoField {
  declare [RowKey]?: { key: ['a', 'b'] }
  // @ts-expect-error there is no b
  @KeyColumn(1, text()) a!: string
}
class Misspelt {
  declare [RowKey]?: { key: ['a']; defaults: 'b' }
  // @ts-expect-error defaults
  @KeyColumn(1, text()) a!: string
}
class NoList {
  declare [RowKey]?: { key: 'a' }
  // @ts-expect-error a list
  @KeyColumn(1, text()) a!: string
}
class Nothing {
  declare [RowKey]?: true
  // @ts-expect-error not a declaration of a key
  @KeyColumn(1, text()) a!: string
}
// @ts-expect-error not what [RowKey] says
@Table('plain', { writes: 'plain' })
class Conditional {
  declare [RowKey]?: { key: ['a']; writes: 'conditional' }
  @KeyColumn(1, text()) a!: string
}
// @ts-expect-error not what [RowKey] says
@Table('conditional')
class Plain {
  declare [RowKey]?: { key: ['a']; writes: 'plain' }
  @KeyColumn(1, text()) a!: string
}

// ---- a field without a decorator is named as one, or the class does not compile
// @ts-expect-error total is neither
@Table('forgotten')
class Forgotten {
  declare [RowKey]?: { key: ['id']; value: 'cents' }
  static readonly made = 0
  @KeyColumn(1, text()) id!: string
  @Column(uint32()) cents!: number
  total = 0
  private readonly secret = ''
  protected hidden = ''
  readonly #own = ''
  greet(): string {
    return this.secret + this.hidden + this.#own
  }
  later?: () => void
}
// It is no column meanwhile.
same<InferInsert<Forgotten>, { id: string; cents: number }>(true)
same<InferPatch<Forgotten>, { cents?: number | undefined }>(true)
same<keyof InferWhere<Forgotten>, 'id' | 'cents'>(true)
// @ts-expect-error optional fields and getters too
@Table('optional')
class Optional {
  declare [RowKey]?: { partition: ['id']; key: []; default: 'hits' }
  @PartitionKey(1, text()) id!: string
  @Column(uint32({ default: 0 })) hits?: number
  cache?: string
  get label(): string {
    return this.id
  }
}
@Table('remembered')
class Remembered {
  declare [RowKey]?: { partition: ['id']; key: []; default: 'hits'; other: 'cache' | 'label' }
  @PartitionKey(1, text()) id!: string
  @Column(uint32({ default: 0 })) hits?: number
  cache?: string
  get label(): string {
    return this.id
  }
}
// A class that does not say what its columns are, or only those of its key, is not compared.
@Table('unsaid')
class Unsaid {
  @KeyColumn(1, text()) id!: string
  total = 0
}
// A factory: the types of its fields are open.
export function factory<State extends string>(states: readonly State[]) {
  @Table('made')
  class Made {
    declare [RowKey]?: { key: ['id']; value: 'state'; other: 'states' }
    @KeyColumn(1, text()) id!: string
    @Column(text<State>()) state!: State
    states = states
  }
  return Made
}

// ---- the type of a field, in the column
interface Address {
  readonly city: string
}
class Fields {
  @Column(text<'new' | 'paid'>()) state!: 'new' | 'paid'
  @Column(json<Address>()) address!: Address
  // @ts-expect-error text<'new' | 'paid'>()
  @Column(text()) wide!: 'new' | 'paid'
  // @ts-expect-error json<Address>()
  @Column(json()) any!: Address
}

export { Conditional, Fields, Forgotten, Optional, Remembered, Unsaid, Misspelt, NoField, NoList, Nothing, Plain, Wrong, WrongNames }
