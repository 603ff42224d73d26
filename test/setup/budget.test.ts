import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { linesOf, stepsIn, type Budget } from './budget.mjs'
import { secondsOf } from './project-seconds.js'

const budget = JSON.parse(readFileSync(new URL('budget.json', import.meta.url), 'utf8')) as Budget

test('what steps and projects took stands beside their budget, and what is over it or has none is a warning', () => {
  const steps = stepsIn('10\t20.5\t1.6\tcheck\n5\t1.2\t0.1\ta step, of "two" words\n')
  expect(steps).toEqual([
    { name: 'check', wall: 10, cpu: 22.1 },
    { name: 'a step, of "two" words', wall: 5, cpu: 1.3 },
  ])
  expect(linesOf(steps, { codec: 3.4, store: 12 }, { steps: { check: 22 }, projects: { codec: 4, store: 12 } })).toEqual([
    'wall s   CPU s  budget  step',
    '    10      22      22  check',
    '     5       1       -  a step, of "two" words',
    '    15      23          together',
    'worker s  budget  project of the tests',
    '      12      12  store',
    '       3       4  codec',
    "WARNING: step 'check' took 22 CPU s, over its budget of 22.",
    `WARNING: step 'a step, of "two" words' has no budget. Give it one in test/setup/budget.json.`,
  ])
})

test('the time of a project is that of its files: to set up, to load and to run', () => {
  const file = (project: string, duration: number) => ({ project, setupDuration: 100, collectDuration: 400, duration })
  expect(secondsOf([file('a', 500), file('b', 1500), file('a', 0)])).toEqual({ a: 1.5, b: 2 })
})

test('every step of the gate has a budget, and every such budget a step', () => {
  const gate = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8')
  const named = [...gate.matchAll(/^ *(?:if )?step ['"]([^'"]+)['"]/gm)].map(([, name = '']) => name)
  const steps = named.flatMap((name) => (name.includes('$version') ? ['22', '24'].map((node) => name.replace('$version', node)) : [name]))
  expect(Object.keys(budget.steps).sort()).toEqual(steps.sort())
})
