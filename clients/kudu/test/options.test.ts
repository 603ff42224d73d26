import { expect, test } from 'vitest'
import { KuduError, type KuduClientOptions } from '../src/index.js'
import { settingsOf } from '../src/options.js'

const masters = ['127.0.0.1:7051']

test('options have defaults', () => {
  expect(settingsOf({ masters: ['a', 'b.c:1', '[::1]:7', 'a:7051'] })).toMatchObject({
    masters: ['a:7051', 'b.c:1', '[::1]:7'],
    tls: { use: 'default' },
    timeout: 60_000,
    connectTimeout: 10_000,
    idleTimeout: 30_000,
    maxAnswerBytes: 256 * 2 ** 20,
  })
  expect(settingsOf({ masters }).user).not.toBe('')
  expect(settingsOf({ masters, tls: true }).tls).toEqual({ use: 'always', options: {} })
  expect(settingsOf({ masters, tls: false }).tls).toEqual({ use: 'never', options: {} })
  expect(settingsOf({ masters, token: 't', tls: { ca: 'c' } })).toMatchObject({ token: 't', tls: { use: 'always', options: { ca: 'c' } } })
})

test.each<[unknown, RegExp]>([
  [undefined, /options are undefined/],
  [null, /options are null/],
  [{}, /masters is undefined/],
  [{ masters: 'a:1' }, /masters is a string/],
  [{ masters: [] }, /masters is an array/],
  [{ masters: ['a:0'] }, /A port is from 1/],
  [{ masters: ['a:70000'] }, /A port is from 1/],
  [{ masters: ['http://a:1'] }, /Give "host:port"/],
  [{ masters: ['::1:7051'] }, /Give "host:port"/],
  [{ masters: [1] }, /has a number/],
  [{ masters, master: 'x' }, /'master' does not exist\. Options are masters/],
  [{ masters, user: '  ' }, /user is blank/],
  [{ masters, user: 'a\0b' }, /user is blank or has a character/],
  [{ masters, user: 1 }, /user is a number/],
  [{ masters, tls: 'yes' }, /tls is a string/],
  [{ masters, token: 'secret' }, /token is given without tls\.ca/],
  [{ masters, token: '', tls: { ca: 'x' } }, /token is no text/],
  [{ masters, timeout: 0 }, /timeout is 0/],
  [{ masters, timeout: '1' }, /timeout is a string/],
  [{ masters, connectTimeout: 2 ** 31 }, /connectTimeout is 2147483648/],
  [{ masters, maxAnswerBytes: 10 }, /maxAnswerBytes is 10/],
])('%j is refused', (options, expected) => {
  const refused = (): unknown => settingsOf(options as KuduClientOptions)
  expect(refused).toThrow(KuduError)
  expect(refused).toThrow(expected)
  expect(refused).not.toThrow(/secret/)
})
