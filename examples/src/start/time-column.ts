import { epochNanoseconds, isIso, isoNanoseconds, unitOf, units, type Unit } from './instant.js'

/** How many records say which unit a log has; later ones may not be finer. */
export const sampleSize = 1000

/** Names of the column with the instant, the finest first: a name that ends in a unit is counted in it. */
export const timeNames = ['ts_ns', 'ts_us', 'ts_ms', 'ts_s', 'ts'] as const
export type TimeName = (typeof timeNames)[number]

/** Reads the instants of one file. */
export interface TimeReader {
  readonly unit: Unit
  /** The instant in `unit`. @throws Error if it is none, or finer than the unit */
  readonly ticks: (text: string) => bigint
}

type Epoch = 's' | Unit

/**
 * Epochs from 1973 to 5138 have a size that no other unit has in these years. The unit of another number is not guessed.
 */
const sizes: readonly (readonly [Epoch, from: bigint])[] = [
  ['ns', 10n ** 17n],
  ['us', 10n ** 14n],
  ['ms', 10n ** 11n],
  ['s', 10n ** 8n],
]

/** A reader for the column, as its name and its first texts say. */
export function timeReader(name: TimeName, sample: readonly string[]): TimeReader {
  if (name === 'ts_ms' || name === 'ts_us' || name === 'ts_ns') return wholeEpochs(name, name.slice(3) as Unit)
  const epoch = name === 'ts_s' ? 's' : commonEpoch(sample)
  const parse = (text: string): bigint => parseInstant(name, text, epoch)
  const unit = finest(sample, parse)
  const size = units[unit].nanoseconds
  return {
    unit,
    ticks: (text) => {
      const nanoseconds = parse(text)
      if (nanoseconds % size === 0n) return nanoseconds / size
      throw new Error(
        `${name} '${text}' is finer than a ${units[unit].name}, unlike the first ${sampleSize.toLocaleString('en-US')} records`,
      )
    },
  }
}

function wholeEpochs(name: TimeName, unit: Unit): TimeReader {
  const parse = (text: string): bigint => {
    if (text.includes('.')) throw new Error(`${name} '${text}' is not epoch ${units[unit].name}s`)
    return epochNanoseconds(text, unit, name) / units[unit].nanoseconds
  }
  return { unit, ticks: parse }
}

function parseInstant(name: TimeName, text: string, epoch: Epoch | undefined): bigint {
  if (isIso(text)) return isoNanoseconds(text, name)
  if (name === 'ts_s') return epochNanoseconds(text, 's', name)
  if (!isNumber(text)) throw new Error(`${name} '${text}' is not ISO 8601, and no epoch`)
  const found = epochOf(text)
  if (found === undefined) {
    throw new Error(`${name} '${text}' can be seconds or parts of a second: a column ts_s, ts_ms, ts_us or ts_ns says which`)
  }
  if (found !== epoch) throw new Error(`${name} '${text}' looks like ${units[found].name}s, unlike most of the first records`)
  return epochNanoseconds(text, found, name)
}

const isNumber = (text: string): boolean => /^-?\d{1,30}(\.\d+)?$/.test(text)

/** The unit of an epoch, by its size. */
function epochOf(text: string): Epoch | undefined {
  const whole = BigInt(text.replace(/\..*/, ''))
  return whole < 10n ** 20n ? sizes.find(([, from]) => whole >= from)?.[0] : undefined
}

/** The unit that most epochs among the texts have. */
function commonEpoch(texts: readonly string[]): Epoch | undefined {
  const found = texts.filter(isNumber).map(epochOf)
  const count = (unit: Epoch): number => found.filter((each) => each === unit).length
  return sizes
    .map(([unit]) => unit)
    .filter((unit) => count(unit) > 0)
    .sort((a, b) => count(b) - count(a))[0]
}

/** The finest unit of the texts that are instants. */
function finest(texts: readonly string[], parse: (text: string) => bigint): Unit {
  const found = new Set(texts.flatMap((text) => unitOfText(text, parse)))
  return found.has('ns') ? 'ns' : found.has('us') ? 'us' : 'ms'
}

function unitOfText(text: string, parse: (text: string) => bigint): readonly Unit[] {
  try {
    return [unitOf(parse(text))]
  } catch {
    return [] // it is reported when its record is read
  }
}
