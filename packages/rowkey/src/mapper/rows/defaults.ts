import type { Default, TypeData, Value } from '#codec'
import { typeFacts } from '#codec/internal'
import { newUlid } from './ulid.js'
import { newUuid } from './uuid.js'

/** Makes the value a column gets when a row leaves it out; undefined if the column has no default. */
export function defaultMaker(type: TypeData): ((now: number) => Value) | undefined {
  return type.default === undefined ? undefined : makerOf(type.default, type)
}

function makerOf(initial: Default, type: TypeData): (now: number) => Value {
  const { storage } = typeFacts(type)
  switch (initial.kind) {
    case 'constant':
      return () => initial.value
    case 'random': {
      const random = (): number => Math.floor(Math.random() * initial.below)
      return storage.class === 'bigint' ? () => BigInt(random()) : random
    }
    case 'ulid':
      return newUlid
    case 'uuid': {
      const ofTime = type.order === 'time'
      return (now) => newUuid(now, ofTime)
    }
    case 'now':
    case 'updatedAt':
      return nowIn[(storage as Instants).counts]
  }
}

/** The storage of every column with the default 'now' or 'updatedAt': the codec refuses them for others. */
interface Instants {
  readonly counts: keyof typeof nowIn
}

const dayMs = 86_400_000

/** The time in the unit of a column. */
const nowIn = {
  days: (now: number) => Math.floor(now / dayMs),
  ms: (now: number) => now,
  us: (now: number) => BigInt(now) * 1_000n,
  ns: (now: number) => BigInt(now) * 1_000_000n,
} as const
