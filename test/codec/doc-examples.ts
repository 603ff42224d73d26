import { readFileSync, readdirSync } from 'node:fs'

/** One `@example` block of a doc comment. */
export interface Example {
  readonly file: string
  readonly line: number
  readonly code: string
}

/** Every `@example` block below `folder`. */
export function examplesIn(folder: URL): Example[] {
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
export interface Expectation {
  readonly expression: string
  readonly output: string
}

const arrow = /^(.*?)\s*\/\/=> (.*)$/

export function expectationsOf({ code }: Example): Expectation[] {
  return code.split('\n').flatMap((line) => {
    const match = arrow.exec(line)
    return match === null ? [] : [{ expression: match[1] as string, output: match[2] as string }]
  })
}

/** Runs an example, which is plain JavaScript over `names`, and hands each expression to `check`, in order. */
export function runExample(
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
