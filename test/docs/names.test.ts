import { expect, test } from 'vitest'
import { packages, read, sourcesOf } from '../house/sources.js'
import { pages } from './pages.js'

// A name that the prose mentions exists: after a renaming, comments and pages go on to name what is gone.

const commentOf = /\/\*\*[^]*?\*\//g
const exampleOf = /```[^]*?```/g

/** What the code of a text is made of, without its comments. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(commentOf, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .match(/[A-Za-z_$][\w$]*/g) ?? []

/** Words of JavaScript, and names of other programs: stores, clients, compilers. */
const foreign = new Set([
  ...['await', 'instanceof', 'null', 'sort', 'subarray', 'u'],
  ...['arg', 'blob', 'decimal', 'maxAttempts', 'timestamp', 'varint', 'ws'],
  ...['discriminator', 'emitDecoratorMetadata', 'experimentalDecorators', 'validateSync'],
])

const all = packages.flatMap((folder) => sourcesOf(folder).map((path) => ({ path, text: read(path) })))
const everywhere = new Set(all.flatMap(({ text }) => wordsOf(text)))
/** What another file can name: it is exported, or a property. */
const shared = new Set(
  all.flatMap(({ text }) => [
    ...[...text.matchAll(/export (?:async )?(?:function|const|class|interface|type) (\w+)/g)].map((match) => match[1] as string),
    ...[...text.replace(commentOf, '').matchAll(/^\s+(?:readonly |static |async |private |get )*(\w+)\??[:(<]/gm)].map(
      (match) => match[1] as string,
    ),
  ]),
)

test('names in doc comments are in the code of their file, or are those of an export or a property', () => {
  const gone = all.flatMap(({ path, text }) => {
    const known = new Set(wordsOf(text))
    const named = (text.match(commentOf) ?? []).flatMap((comment) => [...comment.replace(exampleOf, '').matchAll(/`([a-z][A-Za-z]*)`/g)])
    return named.flatMap(([, name = '']) => (known.has(name) || shared.has(name) || foreign.has(name) ? [] : [`${path}: ${name}`]))
  })
  expect(gone).toEqual([])
})

test('functions that pages name exist', () => {
  const gone = pages()
    .filter((page) => !page.startsWith('.changeset/'))
    .flatMap((page) =>
      [
        ...read(page)
          .replace(exampleOf, '')
          .matchAll(/`([a-z][A-Za-z]*)\(\)`/g),
      ].flatMap(([, name = '']) => (everywhere.has(name) || foreign.has(name) ? [] : [`${page}: ${name}()`])),
    )
  expect(gone).toEqual([])
})

test('what authors of adapters are told to import is exported there', () => {
  const page = read('packages/rowkey/src/conformance/README.md')
  const [, entry = '', names = ''] =
    /`(rowkey\/adapter)`\s+has the types of the contract and what adapters share \(([^)]*)\)/.exec(page) ?? []
  expect(entry).toBe('rowkey/adapter')
  const source = read('packages/rowkey/src/store/adapter/index.ts') + read('packages/rowkey/src/record/index.ts')
  const named = [...names.matchAll(/`(\w+)`/g)].map((match) => match[1] as string)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((name) => !wordsOf(source).includes(name))).toEqual([])
})
