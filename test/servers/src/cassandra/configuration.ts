import { join } from 'node:path'
import { host } from '../loopback.js'

/**
 * When a write is acknowledged. group: after the next fsync, some milliseconds later; it survives `kill -9`. periodic: at once, with an
 * fsync every 10 s, which is the default of Cassandra.
 */
export type CommitLogSync = 'group' | 'periodic'

const sync: Readonly<Record<CommitLogSync, string>> = {
  group: 'commitlog_sync: group\ncommitlog_sync_group_window: 2ms',
  periodic: 'commitlog_sync: periodic\ncommitlog_sync_period: 10000ms',
}

/** cassandra.yaml: what has no default, what makes the server small, and limits as they are shipped. */
export function configuration(folder: string, ports: { readonly cql: number; readonly storage: number }, commitLog: CommitLogSync): string {
  const at = (name: string): string => JSON.stringify(join(folder, name))
  return `cluster_name: rowkey
num_tokens: 1
initial_token: "0"
auto_bootstrap: false
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
dynamic_snitch: false
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: "${host}:${ports.storage}"

listen_address: ${host}
storage_port: ${ports.storage}
rpc_address: ${host}
start_native_transport: true
native_transport_port: ${ports.cql}

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
write_request_timeout: 2000ms
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
