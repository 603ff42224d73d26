import type { RowkeyError } from '#codec'
import type { Adapter } from '../contract/adapter.js'
import { storeError, type StoreErrorDetails } from '../errors.js'

/**
 * The error of an atomic batch that the store cannot write atomically. Nothing of it was sent.
 *
 * @param writes how many mutations the batch has
 * @param reason such as `it accepts at most 100`
 * @param remedy such as `Write fewer rows in one call`
 */
export function atomicScope(
  { name, capabilities }: Pick<Adapter, 'name' | 'capabilities'>,
  writes: number,
  reason: string,
  remedy: string,
): RowkeyError<'ATOMIC_SCOPE', StoreErrorDetails['ATOMIC_SCOPE']> {
  const { scope, max } = capabilities.atomic
  const message = `${name} cannot apply these ${writes} writes atomically: ${reason}. Nothing was written. ${remedy}.`
  return storeError('ATOMIC_SCOPE', message, { adapter: name, scope, max, writes })
}
