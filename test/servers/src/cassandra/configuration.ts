import { join } from 'node:path'
import { host } from '../loopback.js'
import type { Release } from './release.js'

/**
 * When a write is acknowledged. group: after the next fsync, some milliseconds later; it survives `kill -9`. periodic: at once, with an
 * fsync every 10 s, which is the default of Cassandra.
 */
export type CommitLogSync = 'group' | 'periodic'

const sync: Readonly<Record<CommitLogSync, string>> = {
  group: 'commitlog_sync: group\ncommitlog_sync_group_window: 2ms',
  periodic: 'commitlog_sync: periodic\ncommitlog_sync_period: 10000ms',
}

/** A node, and what it needs to know of others. */
export interface NodeOptions {
  readonly address: string
  readonly cql: number
  readonly storage: number
  /** Where the partitions of this node end. */
  readonly token: bigint
  readonly commitLog: CommitLogSync
  /** Whether it may be started again on its folder. */
  readonly isRestarted: boolean
}

/** cassandra.yaml: what has no default, what makes the server small, and limits as they are shipped. */
export function configuration(folder: string, { hasUnits }: Release, node: NodeOptions): string {
  const text = current(folder, node)
  return hasUnits
    ? text
    : text.replace(
        /^(\w+): ([\d.]+)(MiB|KiB|ms)$/gm,
        (_, name: string, number: string, unit: keyof typeof suffixes) => `${name}_in_${suffixes[unit]}: ${number}`,
      )
}

/** Before 4.1 `commitlog_segment_size: 32MiB` is `commitlog_segment_size_in_mb: 32`. */
const suffixes = { MiB: 'mb', KiB: 'kb', ms: 'ms' } as const

function current(folder: string, { address, cql, storage, token, commitLog }: NodeOptions): string {
  const at = (name: string): string => JSON.stringify(join(folder, name))
  return `cluster_name: rowkey
num_tokens: 1
initial_token: "${token}"
auto_bootstrap: false
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
dynamic_snitch: false
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "${host}:${storage}"

listen_address: ${address}
storage_port: ${storage}
rpc_address: ${address}
start_native_transport: true
native_transport_port: ${cql}

data_file_directories: [${at('data')}]
commitlog_directory: ${at('commitlog')}
hints_directory: ${at('hints')}
saved_caches_directory: ${at('saved_caches')}
cdc_raw_directory: ${at('cdc_raw')}

${sync[commitLog]}
# As shipped: the largest mutation is half a segment.
commitlog_segment_size: 32MiB
commitlog_total_space: 128MiB

# Small and quiet.
memtable_heap_space: 96MiB
memtable_offheap_space: 64MiB
file_cache_size: 32MiB
key_cache_size: 8MiB
counter_cache_size: 0MiB
concurrent_reads: 16
concurrent_writes: 16
concurrent_counter_writes: 2
concurrent_compactors: 1
memtable_flush_writers: 1
hinted_handoff_enabled: false
auto_snapshot: false

# As shipped, written out because the adapter relies on them.
batch_size_warn_threshold: 5KiB
batch_size_fail_threshold: 50KiB
unlogged_batch_across_partitions_warn_threshold: 10
tombstone_warn_threshold: 1000
tombstone_failure_threshold: 100000
read_request_timeout: 5000ms
range_request_timeout: 10000ms
write_request_timeout: 6000ms
cas_contention_timeout: 1800ms
request_timeout: 10000ms
`
}

/** Everything to the log that the launcher keeps. */
export const logging = `<configuration scan="false">
  <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%-5level %date{HH:mm:ss.SSS} [%thread] %logger{20} - %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="OUT"/></root>
</configuration>
`
