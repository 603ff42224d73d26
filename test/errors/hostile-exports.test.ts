import * as codec from 'rowkey/codec'
import * as hbase from 'rowkey/formats/hbase'
import * as kudu from 'rowkey/formats/kudu'
import * as model from '../../packages/rowkey/src/model/index.js'
import * as rowkey from 'rowkey'
import { expect, test } from 'vitest'
import { attack, hostileTexts, longHostileText, longText, mustBeCleanError } from './hostile.js'

const { bucket, int64, keyLayout, nullable, text, uint8 } = codec

const texts = [...hostileTexts, longText, longHostileText]

// Every function that an application or an adapter can import from these packages. A function that is added is called here too.
const modules = { rowkey, codec, kudu, hbase, model }
/** Classes, and what runs only inside of a decorated class. */
const notCalled = new Set(['RowkeyError'])
const functions = Object.entries(modules).flatMap(([from, names]) =>
  Object.entries(names).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'function' && !notCalled.has(name) ? [[`${name} of ${from}`, value as (...args: unknown[]) => unknown] as const] : [],
  ),
)

test.each(functions)('ERR-3: %s shows no hostile text in its arguments', async (what, call) => {
  for (const hostile of texts) {
    const named = { [hostile]: 1 }
    const lists: readonly (readonly unknown[])[] = [
      [hostile],
      [named],
      [hostile, hostile],
      [{ of: hostile, count: 4 }, named],
      [{ of: [hostile], count: 4, digits: 2 }],
      [[[hostile, text()]]],
      [
        [
          [hostile, int64()],
          [hostile, 5],
        ],
      ],
      [{ [hostile]: hostile }],
      [{ name: hostile, default: hostile }],
      [{ as: hostile, order: hostile, pad: hostile, nulls: hostile }],
      [1, named],
      [1, 1, named],
      [text(), named],
      [Symbol(hostile)],
    ]
    for (const args of lists) {
      try {
        await call(...args)
      } catch (error) {
        // Functions for other packages trust their callers, and fail as JavaScript does.
        if (codec.isRowkeyError(error)) mustBeCleanError(error, what)
        else expect(error).toBeInstanceOf(Error)
      }
    }
  }
})

test('ERR-3: a layout with hostile names shows them escaped in every call', async () => {
  for (const hostile of texts) {
    const layout = keyLayout(
      [
        [hostile, text()],
        ['n', nullable(uint8())],
      ] as never,
      { salt: bucket({ of: hostile, count: 4 }) } as never,
    )
    const key = { [hostile]: 'a', n: 1 }
    for (const [name, member] of Object.entries(layout) as [string, unknown][]) {
      if (typeof member !== 'function') continue
      await attack(`${name} of a layout`, [key, 'after', 1], 'x', (args) => (member as (...given: unknown[]) => unknown)(...args), 2, {
        others: true,
      })
      await attack(`${name} of a layout`, [{ n: 1 }], hostile, (args) => (member as (...given: unknown[]) => unknown)(...args), 2, {
        others: true,
      })
    }
  }
})
