// Layouts of every kind of column and salt, each with a maker of random keys.

/** Names that would do harm if they came into code as they are. */
const hostile = ['__proto__', '"]; process.exit()//', '\u2028\u2029', 'back\\slash', `quotes '"\``, 'new\nline', '${1}', 'constructor', '']

export function layouts(codec, random) {
  const { bool, bytes, date, decimal, desc, dictionary, fixedBytes, float32, float64, int16, int32, int64, int8, nullable } = codec
  const { paddedText, reversed, separatedText, text, timestamp, uint16, uint32, uint64, uint8, ulid, uuid } = codec
  const { bucket, kuduHash, hashPrefix } = codec
  const { below, one, integer } = random
  const number = (bits, signed) => Number(integer(bits, signed))
  const instant = () => new Date(below(2) * below(2 ** 31) * 1000 - below(2 ** 31))
  const orNull = (value) => (below(4) === 0 ? null : value)
  return [
    {
      columns: { host: text(), event: text(), at: desc(timestamp('ms')), seq: uint32() },
      salt: bucket({ of: ['host', 'event'], count: 16 }),
      key: () => ({ host: random.text(), event: random.text(), at: instant(), seq: number(32, false) }),
    },
    {
      columns: { a: int8(), b: desc(int16()), c: int32(), d: int64(), e: desc(int64({ as: 'number' })), f: nullable(desc(int64())) },
      key: () => ({
        a: number(8, true),
        b: number(16, true),
        c: number(32, true),
        d: integer(64, true),
        e: number(50, true),
        f: orNull(integer(64, true)),
      }),
    },
    {
      columns: { a: uint8(), b: uint16(), c: desc(uint32()), d: desc(uint64()), e: uint64({ as: 'number' }), f: bool(), g: date() },
      salt: bucket({ of: 'c', modulo: 1000 }),
      key: () => ({
        a: number(8, false),
        b: number(16, false),
        c: number(32, false),
        d: integer(64, false),
        e: number(50, false),
        f: one([true, false]),
        g: new Date((below(200_000) - 100_000) * 86_400_000),
      }),
    },
    {
      columns: { a: float32(), b: float64(), c: desc(float64()), d: nullable(float64(), { nulls: 'last' }), e: timestamp('us') },
      key: () => ({ a: random.float32(), b: random.float64(), c: random.float64(), d: orNull(random.float64()), e: integer(64, true) }),
    },
    {
      columns: { a: bytes(), b: desc(bytes()), c: fixedBytes(5), d: desc(text()), e: nullable(text(), { nulls: 'last' }) },
      salt: hashPrefix({ of: 'd', digits: 8 }),
      key: () => ({
        a: random.bytes(below(40)),
        b: random.bytes(below(9)),
        c: random.bytes(5),
        d: random.text(),
        e: orNull(random.text()),
      }),
    },
    {
      columns: { a: uuid(), b: desc(uuid({ order: 'time' })), c: ulid(), d: decimal(9, 2), e: desc(decimal(38)) },
      salt: [kuduHash({ of: 'd', count: 7, seed: 42 }), hashPrefix({ of: ['a', 'c'] })],
      key: () => ({
        a: random.uuid(),
        b: random.uuid(),
        c: random.ulid(),
        d: `${1 + below(999_999)}.${10 + below(90)}`,
        e: String(integer(64, true)),
      }),
    },
    {
      columns: {
        a: paddedText(8, { pad: '\0' }),
        b: separatedText('_'),
        c: reversed(text()),
        d: reversed(int64()),
        e: dictionary({ taobao: 'tb', tmall: 'tm' }),
      },
      salt: bucket({ of: 'd', modulo: 300 }),
      key: () => ({
        a: one(['', 'a', 'é', 'web-1', '\0😀']),
        b: random.text().replaceAll('_', ''),
        c: random.text(),
        d: integer(64, true),
        e: one(['taobao', 'tmall']),
      }),
    },
    {
      columns: Object.fromEntries(hostile.map((name, i) => [name, [text(), nullable(int32()), desc(int64())][i % 3]])),
      salt: bucket({ of: '__proto__', count: 300 }),
      key: () => Object.fromEntries(hostile.map((name, i) => [name, [random.text(), orNull(number(32, true)), integer(64, true)][i % 3]])),
    },
  ]
}
