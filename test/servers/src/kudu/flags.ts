import { join } from 'node:path'
import { host } from '../loopback.js'

/** Flags of a master and of a tablet server whose files are in a folder. Port 0: the server takes a free one. */
export const flagsOf = (folder: string, port: number, isDurable: boolean): readonly string[] => [
  `--fs_wal_dir=${join(folder, 'wal')}`,
  `--fs_data_dirs=${join(folder, 'data')}`,
  `--rpc_bind_addresses=${host}:${port}`,
  '--rpc_server_allow_ephemeral_ports',
  `--server_dump_info_path=${join(folder, 'info.json')}`,
  '--server_dump_info_format=json',
  '--unlock_unsafe_flags',
  '--unlock_experimental_flags',
  '--time_source=system_unsync', // else it waits for a time server
  '--wall_clock_jump_detection=disabled', // else it asks addresses of clouds for metadata
  '--webserver_enabled=false',
  '--enable_minidumps=false',
  '--logtostderr',
  '--redact=none',
  '--metrics_log_interval_ms=0',
  '--diagnostics_log_stack_traces_interval_ms=0',
  '--block_manager=file', // works on any file system
  '--fs_wal_dir_reserved_bytes=0',
  '--fs_data_dirs_reserved_bytes=0',
  '--log_segment_size_mb=8',
  '--log_preallocate_segments=false',
  '--memory_limit_hard_bytes=4294967296', // near its limit it refuses writes, and tests have hundreds of tablets
  '--block_cache_capacity_mb=64',
  ...(isDurable ? ['--log_force_fsync_all=true'] : ['--never_fsync', '--enable_data_block_fsync=false']),
]

/** Tables are created in some ten milliseconds instead of a second. */
export const masterFlags: readonly string[] = ['--catalog_manager_bg_task_wait_ms=50']
export const tabletServerFlags: readonly string[] = ['--heartbeat_interval_ms=200']
