import { Command } from 'ioredis'
import { expect, test } from 'vitest'
import { encodeCommand } from '../src/client/resp.js'

/** What the client itself would send. */
const byClient = (name: string, args: readonly (string | Buffer)[]): Buffer => Buffer.from(new Command(name, [...args]).toWritable({}))

const bytes = (...values: number[]): Buffer => Buffer.from(values)

test.each<readonly [string, readonly (string | Buffer)[]]>([
  ['no arguments', []],
  ['text only', ['section']],
  ['empty text and no bytes', ['', Buffer.alloc(0), '']],
  ['bytes only', [bytes(0, 13, 10, 255), bytes(36)]],
  ['text between bytes', [bytes(1), '0', bytes(2), 'a longer text between two buffers', bytes(3)]],
  ['short text of several bytes per character between bytes', [bytes(1), 'é', bytes(2), '€', bytes(3), '𝄞']],
  ['lone surrogates', ['\ud800', bytes(1), '\udc00']],
  ['large bytes', [Buffer.alloc(100_000, 7), 'x'.repeat(100_000), 'é'.repeat(50_000)]],
])('a command is encoded as the client encodes it: %s', (_, args) => {
  expect(encodeCommand('evalsha', args).equals(byClient('evalsha', args))).toBe(true)
})
