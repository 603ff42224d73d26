import { changeErrors } from './changes.js'
import { checkErrors } from './checks.js'
import { copyErrors } from './copies.js'
import { decoratorErrors } from './decorators.js'
import { indexErrors } from './indexes.js'
import { jsonErrors } from './json.js'
import { layoutErrors } from './layouts.js'
import { modelErrors } from './model.js'
import { predicateErrors } from './predicates.js'
import type { Provocation } from './provocation.js'
import { rangeErrors } from './ranges.js'
import { readErrors } from './reads.js'
import { rowErrors } from './rows.js'
import { scanErrors } from './scans.js'
import { storeErrors } from './store.js'
import { typeErrors } from './types.js'
import { writeErrors } from './writes.js'

/** Every refusal, in the order of the snapshot. */
export const provocations: readonly Provocation[] = [
  ...typeErrors,
  ...layoutErrors,
  ...modelErrors,
  ...jsonErrors,
  ...decoratorErrors,
  ...storeErrors,
  ...rangeErrors,
  ...indexErrors,
  ...rowErrors,
  ...scanErrors,
  ...predicateErrors,
  ...readErrors,
  ...writeErrors,
  ...changeErrors,
  ...checkErrors,
  ...copyErrors,
]
