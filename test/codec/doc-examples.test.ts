import * as codec from '@rowkey/codec'
import * as hbase from '@rowkey/codec/hbase'
import * as internal from '@rowkey/codec/internal'
import * as kudu from '@rowkey/codec/kudu'
import { readFileSync, readdirSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { examplesIn, expectationsOf, runExample } from './doc-examples.js'

const source = new URL('../../packages/codec/src/', import.meta.url)
const examples = examplesIn(source)
/** What an example sees: the package, and in the folder of a subpath that one too. */
const namesIn = (file: string): Readonly<Record<string, unknown>> => ({
  ...codec,
  ...internal,
  ...(file.startsWith('kudu/') ? kudu : file.startsWith('hbase/') ? hbase : {}),
})

describe.each(examples.map((example) => [`${example.file}:${example.line}`, example] as const))('the example of %s', (_, example) => {
  test('gives what it says', () => {
    let checked = 0
    runExample(example, namesIn(example.file), (call, { output }) => {
      checked++
      if (output.startsWith('throws ')) expect(call).toThrow(output.slice('throws '.length))
      else expect(inspect(call(), { breakLength: Infinity })).toBe(output)
    })
    expect(checked).toBe(expectationsOf(example).length)
    expect(checked).toBeGreaterThan(0)
  })
})

test.each(Object.entries({ codec, internal, hbase, kudu }))('every function and class of %s has an example', (_, names) => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const sources = files.map((name) => readFileSync(new URL(name, source), 'utf8'))
  const comment = String.raw`@example(?:(?!\*/)[\s\S])*\*/\nexport (?:const|function|class)`
  const documented = (name: string): boolean => sources.some((text) => new RegExp(`${comment} ${name}\\b`).test(text))
  expect(Object.keys(names).filter((name) => !documented(name))).toEqual([])
})
