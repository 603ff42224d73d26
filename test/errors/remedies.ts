import { expect } from 'vitest'
import type { RowkeyError } from 'rowkey/codec'
import type { Remedy } from './provocation.js'

type Call = (said: string, error: RowkeyError) => unknown

/** The call does not throw. It has to return something: `expected`, if that is given. */
export function gives(run: Call, ...expected: readonly [unknown?]): Remedy {
  return async (said, error) => {
    const result = await run(said, error)
    if (expected.length > 0) expect(result).toEqual(expected[0])
    else expect(result).toBeDefined()
  }
}

/** The call is made with the numbers at both ends of the range that the words name, and is refused with those beyond. */
export function within(make: (given: never) => unknown): Remedy {
  return async (said, { code }) => {
    const [least, most] = rangeIn(said)
    const accepted = async (given: bigint): Promise<unknown> => make(numberOf(given) as never)
    for (const given of [least, most]) if (given !== undefined) await expect(accepted(given), `${given}`).resolves.toBeDefined()
    await expect(accepted(least - 1n)).rejects.toMatchObject({ code })
    if (most !== undefined) await expect(accepted(most + 1n)).rejects.toMatchObject({ code })
  }
}

/** Numbers that are only exact as bigint are given as such. */
const numberOf = (given: bigint): number | bigint =>
  given <= Number.MAX_SAFE_INTEGER && given >= Number.MIN_SAFE_INTEGER ? Number(given) : given

/** The range in words such as `from 1 to 65,536`, `1 to 8` or `from 1`. */
function rangeIn(said: string): readonly [least: bigint, most: bigint | undefined] {
  const number = String.raw`(-?\d[\d,]*(?:\^\d+(?: - 1)?)?)`
  const [, least, most] = new RegExp(`${number} to ${number}`).exec(said) ?? new RegExp(`from ${number}`).exec(said) ?? []
  if (least === undefined) throw new Error(`no range in: ${said}`)
  return [valueOf(least), most === undefined ? undefined : valueOf(most)]
}

function valueOf(text: string): bigint {
  const [, base = '', exponent = '1', minus] = /^(-?\d+)(?:\^(\d+))?( - 1)?$/.exec(text.replaceAll(',', '')) ?? []
  return BigInt(base) ** BigInt(exponent) - (minus === undefined ? 0n : 1n)
}

/** The call is made with each of the names that the words list. */
export function withEach(make: (name: string) => unknown): Remedy {
  return async (said) => {
    const names = namesIn(said)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(await make(name), name).toBeDefined()
  }
}

/** The names in words such as `Its columns are a, b`, `Use in, gt or isNull` or `Use one of 'a', 'b'`. */
export function namesIn(said: string): readonly string[] {
  const quoted = [...said.matchAll(/['"]([^'"]+)['"]/g)].map(([, name]) => name as string)
  if (quoted.length > 0) return quoted
  return said.replace(/^.*? (?:are|of|needs all of) |^Use |[()]/g, '').split(/, | or /)
}
