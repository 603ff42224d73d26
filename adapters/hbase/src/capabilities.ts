import type { Capabilities } from 'rowkey/adapter'
import { maxRowkeyBytes } from './keys.js'

/** Which servers are spoken to. They have the same interface and other limits. */
export type Profile = 'hbase' | 'lindorm'

/** What a profile needs to know of its servers. */
export interface ProfileLimits {
  readonly capabilities: Capabilities
  readonly rowkeyBytes: number
  /** Max rows and bytes of one read, and of one write. */
  readonly read: { readonly rows: number; readonly bytes: number }
  readonly write: { readonly rows: number; readonly bytes: number }
  /** Whether tables have NEW_VERSION_BEHAVIOR, so that a delete only hides what was written before it. */
  readonly newVersionBehavior: boolean
  /** Whether there is Lindorm's SQL, which has limits of its own. */
  readonly isLindorm: boolean
}

function capabilitiesOf(rowkeyBytes: number, valueBytes: number): Capabilities {
  return Object.freeze({
    reverse: true,
    conditions: 'columns',
    atomic: Object.freeze({ scope: 'row', max: 1, isolated: true }),
    eventual: false,
    limits: Object.freeze({ partitionBytes: rowkeyBytes, sortKeyBytes: rowkeyBytes, valueBytes }),
  })
}

/** The key columns that a table may have that is made in Lindorm's SQL. Source: "Quotas and limits", 2026. */
export const maxKeyColumns = 5

const mebibyte = 1 << 20

export const profiles: Readonly<Record<Profile, ProfileLimits>> = Object.freeze({
  hbase: Object.freeze({
    rowkeyBytes: maxRowkeyBytes,
    // A cell may have 10 MB with its key and names.
    capabilities: capabilitiesOf(maxRowkeyBytes, 10 * mebibyte - 65_536),
    // The gateway holds a whole page in its memory, and so does the client. A gateway with framed messages takes requests of up to 2 MB.
    read: Object.freeze({ rows: 10_000, bytes: 4 * mebibyte }),
    write: Object.freeze({ rows: 1000, bytes: mebibyte }),
    newVersionBehavior: true,
    isLindorm: false,
  }),
  // Source: quotas and limits of LindormTable. There, all key columns together may have 2 KB, and a value 2 MB.
  lindorm: Object.freeze({
    rowkeyBytes: 2048,
    capabilities: capabilitiesOf(2048, 2 * mebibyte),
    read: Object.freeze({ rows: 2000, bytes: 4 * mebibyte }),
    write: Object.freeze({ rows: 1000, bytes: mebibyte }),
    newVersionBehavior: false,
    isLindorm: true,
  }),
})
