import { expect, test } from 'vitest'
import { HBaseClient, HBaseError, type HBaseClientOptions } from '../src/index.js'

const secret = 'hunter2\u0000is-secret'

test.each<[string, unknown]>([
  ['The option host is no host. Give a name or an address alone.', { host: `ann:${secret}@h` }],
  ['The option host is no host. Give a name or an address alone.', { host: '' }],
  ['The option port is 0. Give a whole number from 1 to 65535.', { port: 0 }],
  ['The option port is a string. Give a number.', { port: '9090' }],
  ["The option transport is none of 'unframed', 'framed' and 'http'.", { transport: 'compact' }],
  ["The option headers is for transport 'http' only, and it is 'unframed'.", { headers: {} }],
  ["The option path is for transport 'http' only, and it is 'framed'.", { transport: 'framed', path: '/' }],
  [
    "The option path is no path. It begins with '/' and has no spaces; other characters than ASCII are escaped by '%'.",
    { transport: 'http', path: '/a b' },
  ],
  ["The option headers has a value for 'a' that HTTP does not allow.", { transport: 'http', headers: { a: secret } }],
  ["The option headers has a value for 'a' that HTTP does not allow.", { transport: 'http', headers: { a: 'x\r\nb: c' } }],
  ["The option headers has the name 'a b', which HTTP does not allow.", { transport: 'http', headers: { 'a b': secret } }],
  ["The option headers has 'Content-Length', which the client itself sets.", { transport: 'http', headers: { 'Content-Length': '5' } }],
  ['The option headers is an array. Give an object.', { transport: 'http', headers: [] }],
  ['The option tls is a string. Give true or an object.', { tls: 'yes' }],
  ['The option connections is 0. Give a whole number from 1 to 1000.', { connections: 0 }],
  ['The option timeout is 2147483648. Give a whole number from 1 to 2147483647.', { timeout: 2 ** 31 }],
  ['The option connectTimeout is -1. Give a whole number from 1 to 2147483647.', { connectTimeout: -1 }],
  ['The option idleTimeout is NaN. Give a whole number from 1 to 2147483647.', { idleTimeout: Number.NaN }],
  ['The option maxAnswerBytes is 5. Give a whole number from 1024 to 2147483647.', { maxAnswerBytes: 5 }],
  ['The option maxRequestBytes is 1.5. Give a whole number from 1024 to 2147483647.', { maxRequestBytes: 1.5 }],
  ['The options are null. Give an object.', null],
])('%s', (message, options) => {
  const make = (): HBaseClient => new HBaseClient(options as HBaseClientOptions)
  expect(make).toThrow(HBaseError)
  expect(make).toThrow(expect.objectContaining({ message, code: 'INVALID_ARGUMENT', isSent: false }))
  expect(message).not.toContain('hunter2')
})

test('an option that does not exist is named, with those that do', () => {
  expect(() => new HBaseClient({ hosts: 'h' } as HBaseClientOptions)).toThrow(
    /^The option 'hosts' does not exist\. Options are host, port, transport, .*maxRequestBytes\.$/,
  )
})

test('without options: an unframed gateway on this machine', () => {
  expect(new HBaseClient().transport).toBe('unframed')
  expect(new HBaseClient({ transport: 'http', tls: { rejectUnauthorized: true }, headers: { a: 'b' } }).transport).toBe('http')
})
