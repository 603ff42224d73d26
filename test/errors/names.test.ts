import * as codec from 'rowkey/codec'
import * as kudu from 'rowkey/formats/kudu'
import * as mapper from '../../packages/rowkey/src/mapper/index.js'
import { memory } from 'rowkey'
import * as model from '../../packages/rowkey/src/model/index.js'
import * as rowkey from 'rowkey'
import * as stores from 'rowkey/adapter'
import * as classValidator from 'class-validator'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

/** Methods of what the functions of this package return, as their interfaces declare them. */
const declared = ['mapper-types', 'repository-types', 'scan/scan-types', 'create-mapper', 'copy/copy-options', 'mapper-options'].flatMap(
  (file) => {
    try {
      return [readFileSync(new URL(`packages/rowkey/src/mapper/${file}.ts`, root), 'utf8')]
    } catch {
      return []
    }
  },
)
const members = new Set(
  declared.flatMap((text) => [...text.matchAll(/^ {2}(?:readonly )?(\w+)[?<(:]/gm)].map(([, name]) => name as string)),
)
const exported = new Set([codec, kudu, mapper, model, rowkey, stores, { memory }].flatMap((names) => Object.keys(names)))
/** Functions of adapters, of JavaScript, of other libraries and of tests. */
const others = new Set([
  ...readdirSync(new URL('adapters', root)),
  'clock', // an option of the mapper
  'toJSON', // of a schema
  'validate', // of class-validator
  'object', // z.object()
  'Type', // of class-transformer
  ...Object.keys(classValidator),
  'Type', // of class-transformer
])

/** The names before parentheses in texts for people. */
const called = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w$.])@?(?:\w+\.)*(\w+)\((?!s\))/g)].map(([, name]) => name as string)
const isKnown = (name: string): boolean => exported.has(name) || members.has(name) || others.has(name)

test('ERR-1: every function that a message names exists', () => {
  const messages = readFileSync(new URL('messages.txt', import.meta.url), 'utf8')
  const lines = messages.split('\n').filter((line) => line.startsWith('    '))
  const names = [...new Set(lines.flatMap((line) => called(line)))].filter((name) => /^[A-Za-z]/.test(name))
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !isKnown(name))).toEqual([])
})

test('ERR-1: every option in braces that a message says to give exists', () => {
  const messages = readFileSync(new URL('messages.txt', import.meta.url), 'utf8')
  const options = [...messages.matchAll(/\{ (\w+)(?=[ ,:])/g)].map(([, name]) => name as string)
  const texts = sourcesOf(['packages', 'adapters']).map(([, text]) => text)
  expect(options.length).toBeGreaterThan(20)
  expect(
    [...new Set(options)].filter((name) => !texts.some((text) => new RegExp(`^ +(?:readonly )?${name}\\??: `, 'm').test(text))),
  ).toEqual([])
})

/** Sentences in the sources of adapters, of which messages.txt has few, because most need a server. */
test('ERR-1: every function that a text of an adapter names exists', () => {
  const found = sourcesOf(['adapters']).flatMap(([path, text]) => {
    const sentences = [...text.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)]
      .map(([sentence]) => sentence)
      .filter((sentence) => /[a-z] [a-z]/.test(sentence))
    return sentences.flatMap((sentence) =>
      [...sentence.matchAll(/(?<![\w$.@])([a-z]\w*)\((?:\)|\[…\]\))/g)].map(([, name]) => [path, name as string] as const),
    )
  })
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter(([, name]) => !isKnown(name))).toEqual([])
})

function sourcesOf(groups: readonly string[]): readonly (readonly [path: string, text: string])[] {
  return groups.flatMap((group) =>
    readdirSync(new URL(`${group}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => /(^|\/)src\/.*\.ts$/.test(path) && !/node_modules|scripts\//.test(path)) // scripts are Lua
      .map((path) => [path, readFileSync(new URL(`${group}/${path}`, root), 'utf8')] as const),
  )
}
