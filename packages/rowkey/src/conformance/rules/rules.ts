// Tested by wrong.test.ts.
import type { Rule } from '../suite/rule.js'
import { atomic } from './atomic.js'
import { byId } from './by-id.js'
import { cancelling } from './cancelling.js'
import { changes } from './changes.js'
import { checkedChanges } from './checked-changes.js'
import { closing } from './closing.js'
import { concurrency } from './concurrency.js'
import { creating } from './creating.js'
import { cursors } from './cursors.js'
import { dropped } from './dropped.js'
import { expiry } from './expiry.js'
import { filters } from './filters.js'
import { deploys } from './deploys.js'
import { growth } from './growth.js'
import { gets } from './gets.js'
import { openEnded } from './open-ended.js'
import { orders } from './orders.js'
import { pages } from './pages.js'
import { periods } from './periods.js'
import { queries } from './queries.js'
import { removals } from './removals.js'
import { replacedRows } from './replaced.js'
import { rowOrder } from './row-order.js'
import { rows } from './rows.js'
import { slices } from './slices.js'
import { sparse } from './sparse.js'
import { splits } from './splits.js'
import { tables } from './tables.js'
import { upserts } from './upserts.js'
import { versions } from './versions.js'
import { volume } from './volume.js'
import { writes } from './writes.js'
import { written } from './written.js'

/** All rules, in the order of the store contract. */
export const rules: readonly Rule[] = [
  ...rows,
  ...gets,
  ...byId,
  ...slices,
  ...pages,
  ...filters,
  ...splits,
  ...queries,
  ...cursors,
  ...orders,
  ...periods,
  ...openEnded,
  ...writes,
  ...changes,
  ...creating,
  ...checkedChanges,
  ...upserts,
  ...written,
  ...removals,
  ...versions,
  ...expiry,
  ...atomic,
  ...rowOrder,
  ...concurrency,
  ...volume,
  ...sparse,
  ...replacedRows,
  ...tables,
  ...dropped,
  ...growth,
  ...deploys,
  ...cancelling,
  ...closing,
]
