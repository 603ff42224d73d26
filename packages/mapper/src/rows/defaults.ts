import type { Default, TypeData, Value } from '@rowkey/codec'
import { newUlid } from './ulid.js'

const dayMs = 86_400_000

/** The value a column gets when a row leaves it out; undefined where the column has no default. */
export function defaultValue(type: TypeData, now: number): Value | undefined {
  if (type.default === undefined) return undefined
  return valueOf(type.default, type, now)
}

function valueOf(given: Default, type: TypeData, now: number): Value {
  if (given.kind === 'constant') return given.value
  if (given.kind === 'random') return sized(Math.floor(Math.random() * given.below), type)
  if (given.kind === 'ulid') return newUlid(now)
  if (type.kind === 'date') return Math.floor(now / dayMs)
  if (type.unit === 'ms') return now
  return BigInt(now) * (type.unit === 'us' ? 1_000n : 1_000_000n)
}

function sized(value: number, type: TypeData): Value {
  const { kind } = type.inner ?? type
  return kind === 'int64' || kind === 'uint64' ? BigInt(value) : value
}
