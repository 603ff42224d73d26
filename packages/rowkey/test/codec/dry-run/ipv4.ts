import type { ColumnType, TypeOptions } from '#codec'
import { makeType, registerColumnType, type Encoding, type TypeImpl } from '#codec/internal'

// A column type that the codec does not know: all there is of it is here.

const shape = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/

function parse(given: unknown): number | undefined {
  if (typeof given !== 'string' || !shape.test(given)) return undefined
  const octets = given.split('.').map(Number)
  return octets.some((octet) => octet > 255) ? undefined : octets.reduce((sum, octet) => sum * 256 + octet, 0)
}

const format = (value: number): string => [24, 16, 8, 0].map((bits) => (value >>> bits) & 255).join('.')

const encoding: Encoding<number> = {
  minBytes: 4,
  maxBytes: 4,
  size: () => 4,
  write(target, at, value) {
    for (let i = 0; i < 4; i++) target[at + i] = value >>> (24 - 8 * i)
    return at + 4
  },
  read(reader) {
    reader.advance(4)
    return [4, 3, 2, 1].reduce((sum, back) => sum * 256 + reader.byteAt(reader.at - back), 0)
  },
}

const impl: TypeImpl = {
  conversion: ({ as }) => ({
    parse: as === 'number' ? (given) => (typeof given === 'number' ? given : undefined) : parse,
    ...(as === 'number' ? {} : { format: (value) => format(value as number) }),
    compare: (a: number, b: number) => a - b,
    expected: 'an IPv4 address, four numbers from 0 to 255 with dots',
  }),
  storage: () => ({ class: 'int', min: 0, max: 2 ** 32 - 1 }),
  canonical: (type) => makeType({ ...type, as: 'number' }, impl, undefined),
  encoding: () => encoding,
  fromJSON: (options) => ipv4(options),
  jsType: () => 'string',
}

/** An IPv4 address; its number in 4 bytes, big-endian. */
export function ipv4(options?: TypeOptions): ColumnType<string, 'range'> {
  return makeType({ kind: 'ipv4' as 'uint32' }, impl, options)
}

registerColumnType('ipv4', impl)

/** The same with generated code of its own. The local is the number, so a key object's text is parsed and formatted. */
export function fastIpv4(): ColumnType<string, 'range'> {
  return makeType({ kind: 'ipv4' as 'uint32' }, { ...impl, compile: (_, emit, shape) => code(emit, shape) }, undefined)
}

type Compile = NonNullable<TypeImpl['compile']>

function code(emit: Parameters<Compile>[1], shape: Parameters<Compile>[2]): ReturnType<Compile> {
  return {
    uses: { parseIpv4: parse, formatIpv4: format },
    parse: (x) => (shape === 'key' ? `parseIpv4(${x})` : x),
    misfit: (v) => `typeof ${v}!=="number"||${v}>>>0!==${v}`,
    room: () => '4',
    write: (v) => `${emit.put(v, 4)}p+=4;`,
    read: (v) => emit.fixed(4, `${v}=${emit.get(4)}>>>0;`),
    format: (v) => (shape === 'key' ? `formatIpv4(${v})` : v),
    canonical: (v) => v,
    compare: emit.compareValues,
  }
}
