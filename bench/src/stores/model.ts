import { Bucket, Column, Index, KeyColumn, PartitionKey, Table, text, timestamp } from 'rowkey'

/** One row in the form that all others are made of; `at` is in milliseconds. */
export interface Sample {
  readonly host: string
  readonly event: string
  readonly at: number
  readonly level: string
  readonly message: string
}

/** A host is a partition, as every store knows them. */
@Table('events', { writes: 'plain' })
export class Event {
  @PartitionKey(1, text()) host!: string
  @KeyColumn(2, text()) event!: string
  @KeyColumn(3, timestamp('ms')) at!: Date
  @Column(text()) level!: string
  @Column(text()) message!: string
}

/** The same, with the rows of a host in 16 buckets. */
@Table('spread', { writes: 'plain' })
@Bucket({ of: 'at', count: 16 })
export class SpreadEvent extends Event {}

/** The same, with an index in whose order the rows of a host and event come as in that of the table. */
@Table('indexed', { writes: 'plain' })
@Index('byLevel', { partition: ['host', 'level'], key: ['event', 'at'] })
export class IndexedEvent extends Event {}

export const buckets = 16

/** Rows by host and event, in the order of time: `groups` lists with `depth` rows each. */
export function sampleGroups(groups: number, depth: number): readonly (readonly Sample[])[] {
  return Array.from({ length: groups }, (_, group) =>
    Array.from({ length: depth }, (_, i): Sample => {
      const host = `host-${String(group >> 1).padStart(5, '0')}`
      return {
        host,
        event: group % 2 === 0 ? 'login' : 'request',
        at: 1.7e12 + i * 1000 + group,
        level: 'info',
        message: messageOf(group, i),
      }
    }),
  )
}

const messageOf = (group: number, i: number): string => `GET /orders/${group}/${i} 200 in ${(i * 7919) % 1009} ms`.padEnd(80, '.')
