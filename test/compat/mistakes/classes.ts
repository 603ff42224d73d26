// Mistakes in decorated classes, each with what the message of the compiler must contain, in both decorator modes or in the named one. Nothing
// else on these pages may be refused.
import {
  Bucket,
  Check,
  Column,
  HashPrefix,
  int64,
  json,
  KeyColumn,
  nullable,
  PartitionKey,
  period,
  RowKey,
  Table,
  text,
  timestamp,
  Ttl,
  uint32,
  Version,
} from 'rowkey'

type Status = 'new' | 'paid'
interface Address {
  readonly city: string
}

export class Fields {
  //! "declare the field as", bigint
  @Column(int64()) size!: number
  //! "declare the field as", bigint
  @Column(int64()) asText!: string
  //! "declare the field as", string
  @Column(int64({ as: 'text' })) id64!: bigint
  //! "declare the field as", string
  @Column(text()) day!: Date
  //! "declare the field as", Date
  @Column(timestamp('ms')) at!: string
  //! "declare the field as", string
  @Column(text()) anything!: unknown
  //! "declare the field as", string
  @Column(text()) boxed!: String
  //! "the column may be null: declare the field as", string | null
  @Column(nullable(text())) note!: string
  //! "the column may be null: declare the field as", string | null
  @Column(nullable(text())) optional?: string
  //! "the column may be null: declare the field as", number | null
  @Column(nullable(uint32())) count!: number
  //! "the column may be null: declare the field as", Status | null
  @Column(nullable(text<Status>())) state!: Status
  //! "the column may be null: declare the field as", string | null
  @KeyColumn(1, nullable(text())) key!: string
  //! "the column is never null: write nullable(…) around its type, or declare the field as", string
  @Column(text()) absent!: string | null
  //! "the column is never left out: declare the field without ? as", string
  @Column(text()) left?: string
  //! "write the column as text<…>() with the type of the field", Status
  @Column(text()) status!: Status
  //! "write the column as text<…>() with the type of the field", "a" | "b"
  @Column(nullable(text())) letter!: 'a' | 'b' | null
  //! "write the column as json<…>() with the type of the field", Address
  @Column(json()) address!: Address
  //! "declare the field as", Address
  @Column(json<Address>()) home!: { city: number }
  //! "declare the field as", string
  @Version() version!: number
}

export class NoFields {
  //! "only a public field of instances can be a column, not", "secret"
  @Column(text()) private secret!: string
  //! standard: "only a public field of instances can be a column, not", "#hidden"
  //! legacy: Decorators are not valid here
  @Column(text()) #hidden!: string
  //! "only a public field of instances can be a column, not", "shared"
  @Column(text()) static shared: string
  //! "only a field can be a column, not a method, getter or accessor such as", "greet"
  @Column(text()) greet(): string {
    return this.secret + this.#hidden
  }
  // Legacy compilers pass no sign of it; the schema of the class refuses it.
  //! standard: "only a field can be a column, not a method, getter or accessor such as", "label"
  @Column(text()) get label(): string {
    return ''
  }
  //! "only a field can be a column, not a method, getter or accessor such as", "kept"
  @Column(text()) accessor kept = ''
}

export class Decorators {
  //! write @Column(…), with parentheses
  @Column bare!: string
  //! write @KeyColumn(1, …), with parentheses
  @KeyColumn id!: string
  //! write @PartitionKey(1, …), with parentheses
  @PartitionKey part!: string
  //! write '@Version()'
  @Version version!: string
  //! standard: "without experimentalDecorators no type is inferred: give one, such as text(), for", number
  //! legacy: "numbers have several types: write int32(), uint32(), float64() or int64({ as: 'number' })", number
  @Column() inferred!: number
  //! Argument of type 'TypeFactory<string,
  //! ColumnType<unknown, Trait>
  @Column(text) factory!: string
  //! Argument of type 'StringConstructor'
  //! ColumnType<unknown, Trait>
  @Column(String) constructed!: string
  //! Argument of type 'ColumnType<string, "prefix" | "range">' is not assignable to parameter of type 'number'
  @KeyColumn(text()) unnumbered!: string
  //! Argument of type 'string' is not assignable to parameter of type 'number'
  @KeyColumn('1', text()) quoted!: string
  //! Argument of type 'string' is not assignable to parameter of type
  @Check('email') @Column(text()) mail!: string
}

export class Keys {
  declare [RowKey]?: { partition: ['room']; key: ['id']; value: 'note'; default: 'level'; version: 'rev'; other: 'label' }
  //! "key of [RowKey] must name this column", "room"
  @KeyColumn(1, text()) room!: string
  //! "partition of [RowKey] must name this column", "id"
  @PartitionKey(2, text()) id!: string
  //! "default of [RowKey] names this column, which has no default", "level"
  @Column(text()) level!: string
  //! "default of [RowKey] must name this column", "count"
  @Column(uint32({ default: 0 })) count!: number
  //! "version of [RowKey] names this column", "rev"
  @Column(text()) rev!: string
  //! "version of [RowKey] must name this field", "version"
  @Version() version!: string
  //! "other of [RowKey] names this column", "label"
  @Column(text()) label!: string
  note!: string
  //! "value of [RowKey] must name this column", "body"
  @Column(text()) body!: string
}
export class Places {
  declare [RowKey]?: { key: ['a', 'b'] }
  //! "[RowKey] has this column at another place of the key", "a"
  @KeyColumn(2, text()) a!: string
  //! "[RowKey] has this column at another place of the key", "b"
  @KeyColumn(1, text()) b!: string
}
export class Unknown {
  declare [RowKey]?: { key: ['a', 'bb'] }
  //! "[RowKey] names what is not a field", "bb"
  @KeyColumn(1, text()) a!: string
}
export class Misspelt {
  declare [RowKey]?: { keys: ['a'] }
  //! "[RowKey] must be 'a' | 'b' or { partition: ['a']; key: ['b', 'c']; value: 'd'; default: 'e'; version: 'f'; other: 'g' }", { keys: ["a"]; }
  @KeyColumn(1, text()) a!: string
}
export class Besides {
  declare [RowKey]?: { key: ['a']; keys: ['b'] }
  //! "[RowKey] can have partition, key, period, value, default, version, other and writes, not", "keys"
  @KeyColumn(1, text()) a!: string
}
export class Periods {
  declare [RowKey]?: { partition: ['a', 'b']; key: ['c', 'at']; period: { b: 'c'; c: 'at' }; default: 'a' }
  //! "period of [RowKey] must name this column, with its source", Record<"a", "at">
  @PartitionKey(1, period('day', { of: 'at' })) a!: Date
  //! "period of [RowKey] must name as the source of this column", "at"
  @PartitionKey(2, period('day', { of: 'at' })) b!: Date
  //! "period of [RowKey] names this column, which is none", "c"
  @KeyColumn(3, timestamp('ms')) c!: Date
  //! "declare the field as", Date
  @KeyColumn(4, period('day', { of: 'at' })) at!: string
}
export class Names {
  declare [RowKey]?: 'a' | 'c'
  @KeyColumn(1, text()) a!: string
  //! "[RowKey] must name this key column", "b"
  @KeyColumn(2, text()) b!: string
  //! "[RowKey] names this column, which is not in the key", "c"
  @Column(text()) c!: string
}

//! write @Table('…'), with parentheses
@Table
export class Bare {}
//! Type '"fast"' is not assignable to type '"conditional" | "plain" | undefined'
@Table('fast', { writes: 'fast' })
export class Fast {}
//! Argument of type '{ name: string; }' is not assignable to parameter of type 'string'
@Table({ name: 'named' })
export class Named {}
@Table('plain')
export class Plain {
  declare [RowKey]?: { key: ['a'] }
  @KeyColumn(1, text()) a!: string
}
//! "name this field in value of [RowKey] if it is a column, otherwise in other", "total"
@Table('forgotten')
export class Forgotten {
  declare [RowKey]?: { key: ['a']; value: 'cents' }
  @KeyColumn(1, text()) a!: string
  @Column(uint32()) cents!: number
  total = 0
}
//! "name this field in value of [RowKey] if it is a column, otherwise in other", "cents" | "total"
@Table('unnamed')
export class Unnamed {
  declare [RowKey]?: { key: ['a'] }
  @KeyColumn(1, text()) a!: string
  //! "value of [RowKey] must name this column", "cents"
  @Column(uint32()) cents!: number
  total = 0
}
//! "writes of [RowKey] must be that of @Table", "conditional"
@Table('otherwise')
export class Otherwise {
  declare [RowKey]?: { key: ['a']; writes: 'plain' }
  @KeyColumn(1, text()) a!: string
}
//! "the class has no field", "b"
@Bucket({ of: 'b', count: 4 })
export class Salted {
  @KeyColumn(1, text()) a!: string
}
//! "the class has no field", "x"
@HashPrefix({ of: ['a', 'x'] })
export class Prefixed {
  @KeyColumn(1, text()) a!: string
}
//! 'counts' does not exist in type
@Bucket({ of: 'a', counts: 4 })
export class Counted {
  @KeyColumn(1, text()) a!: string
}
//! Argument of type '"90 days"' is not assignable to parameter of type
@Ttl('90 days')
export class Expiring {
  @KeyColumn(1, text()) a!: string
}
