import { expect, test } from 'vitest'
import { pages, read } from './pages.js'

const decisions = pages()
  .filter((page) => page.startsWith('docs/decisions/'))
  .toSorted()

test('decisions are numbered without gaps, in their names and their titles', () => {
  const numbers = decisions.map((page) => /\/(\d{4})-[a-z0-9-]+\.md$/.exec(page)?.[1])
  expect(numbers).toEqual(decisions.map((_, i) => String(i + 1).padStart(4, '0')))
  expect(decisions.map((page) => /^# (\d{4}) \S/.exec(read(page))?.[1])).toEqual(numbers)
})

test.each(decisions)('%s has context, choice and consequence', (page) => {
  expect(read(page).match(/^\*\*(\w+)\.\*\*/gm)).toEqual(['**Context.**', '**Choice.**', '**Consequence.**'])
})
