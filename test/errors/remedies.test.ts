import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { follow, refusalOf } from './follow.js'
import { noRemedies } from './provocation.js'
import { provocations } from './provocations.js'

const snapshot = readFileSync(new URL('messages.txt', import.meta.url), 'utf8')

test('names of provocations are unique', () => {
  const names = provocations.map(([what]) => what)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

describe('ERR-1: what a message says to do helps, and nothing else is lost', () => {
  test.each(provocations.map((provocation) => [provocation[0], provocation] as const))('%s', async (_, [what, run, remedies]) => {
    const error = await refusalOf(what, run)
    // What was done before has not changed what this one is about.
    const isAsBefore = snapshot.includes(`\n${what}\n${error.message.replace(/^/gm, '    ')}\n`)
    expect(isAsBefore, `not as in messages.txt: ${error.message}`).toBe(true)
    if (typeof remedies === 'string') expect(error.message).toMatch(noRemedies[remedies])
    else await follow(error, remedies)
  })
})
