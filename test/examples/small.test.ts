import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { plainEnv } from '../kit/plain-env.js'
import { build } from '../setup/build.js'

beforeAll(() => {
  build('examples')
}, 180_000)

function outputOf(example: string): readonly string[] {
  const main = fileURLToPath(new URL(`../../examples/dist/${example}/main.js`, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', env: plainEnv() })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

test('01-codec: keys sort newest first, and a range of one host holds no other', () => {
  expect(outputOf('01-codec')).toEqual([
    'older key      0c7765622d3100007ffffe64870006ff',
    'newer key      0c7765622d3100007ffffe6486c9187f',
    'newest first   true',
    'back           {"host":"web-1","at":"2026-01-01T11:00:00.000Z"}',
    'range          0c7765622d310000 to 0c7765622d310001',
    'web-1, web-12  true false',
  ])
})

test('02-class-with-validators: what its checks refuse is not written', () => {
  expect(outputOf('02-class-with-validators')).toEqual([
    'insert         written',
    'no address     email: email must be an email',
    'two faults     name: name must be longer than or equal to 1 characters; age: age must not be less than 18',
    'a bad update   age: age must not be less than 18',
    'what is stored true {"email":"ann@example.org","name":"Ann","age":42}',
  ])
})

test('time-series: a month is walked newest first, with the same numbers in memory and LMDB', () => {
  const each = [
    'written        2211 readings of 3 stations',
    "explain()      5 weeks of 'at', 2012-12-31 … 2013-01-28",
    'newest first   737 rows of JFK in 8 pages and 12 requests',
    'the newest 3   2013-01-31T23:00 1.7 °C, 2013-01-31T22:00 2.2 °C, 2013-01-31T21:00 3.9 °C; 1 request, 3 rows examined',
    'coldest day    2013-01-23, -9.1 °C on average',
    'warmest day    2013-01-14, 10.4 °C on average',
    'latest         EWR 2013-01-31T23:00 1.7 °C',
    'latest         JFK 2013-01-31T23:00 1.7 °C',
    'latest         LGA 2013-01-31T23:00 2.2 °C',
  ]
  expect(outputOf('time-series')).toEqual(['--- memory', ...each, '--- lmdb', ...each])
})
