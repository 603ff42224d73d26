import { readFileSync, readdirSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'

/** One `@example` block of a doc comment. */
interface Example {
  readonly file: string
  readonly line: number
  readonly code: string
}

/** Every `@example` block below `folder`. */
function examplesIn(folder: URL): Example[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
  return files.flatMap((file) => examplesOf(file, readFileSync(new URL(file, folder), 'utf8')))
}

function examplesOf(file: string, source: string): Example[] {
  return [...source.matchAll(/^ *\* @example\n *\* ```ts\n((?: *\*.*\n)*?) *\* ```$/gm)].map((match) => ({
    file,
    line: source.slice(0, match.index).split('\n').length,
    code: (match[1] as string).replaceAll(/^ *\* ?/gm, ''),
  }))
}

/** A line `expression //=> output`. */
interface Expectation {
  readonly expression: string
  readonly output: string
}

const arrow = /^(.*?)\s*\/\/=> (.*)$/

function expectationsOf({ code }: Example): Expectation[] {
  return code.split('\n').flatMap((line) => {
    const match = arrow.exec(line)
    return match === null ? [] : [{ expression: match[1] as string, output: match[2] as string }]
  })
}

/** Runs an example, which is plain JavaScript over `names`, and hands each expression to `check`, in order. */
function runExample(
  example: Example,
  names: Readonly<Record<string, unknown>>,
  check: (call: () => unknown, expected: Expectation) => void,
): void {
  const expectations = expectationsOf(example)
  let next = 0
  const checked = (line: string): string => line.replace(arrow, (_, expression: string) => `check(() => (${expression}))`)
  const body = example.code.split('\n').map(checked).join('\n')
  const run = new Function(...Object.keys(names), 'check', `'use strict'\n${body}`) as (...values: unknown[]) => void
  run(...Object.values(names), (call: () => unknown) => {
    check(call, expectations[next++] as Expectation)
  })
}

/** A module of a package, and what its examples see. */
export interface ExampleNames {
  /** The names that need an example. */
  readonly exported: Readonly<Record<string, unknown>>
  /** What its examples see besides. */
  readonly alsoSeen?: Readonly<Record<string, unknown>>
  /** The folder of its sources, with a slash at its end; a package's own without one. */
  readonly folder?: string
}

/** Tests that every example below `source` gives what it says, and that every function and class of these modules has one. */
export function testExamples(source: URL, modules: Readonly<Record<string, ExampleNames>>): void {
  const namesIn = (file: string): Readonly<Record<string, unknown>> =>
    Object.assign({}, ...Object.values(modules).flatMap(({ exported, alsoSeen = {}, folder = '' }) => (file.startsWith(folder) ? [alsoSeen, exported] : []))) as Readonly<Record<string, unknown>> // prettier-ignore

  describe.each(examplesIn(source).map((example) => [`${example.file}:${example.line}`, example] as const))(
    'the example of %s',
    (_, example) => {
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
    },
  )

  test.each(Object.entries(modules))('every function and class of %s has an example', (_, { exported }) => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const sources = files.map((name) => readFileSync(new URL(name, source), 'utf8'))
    const comment = String.raw`@example(?:(?!\*/)[\s\S])*\*/\nexport (?:const|function|class)`
    const documented = (name: string): boolean => sources.some((text) => new RegExp(`${comment} ${name}\\b`).test(text))
    expect(Object.keys(exported).length).toBeGreaterThan(0)
    expect(Object.keys(exported).filter((name) => !documented(name))).toEqual([])
  })
}
