import { createMapper } from '#mapper'
import { memory } from '#memory'
import { expect, test } from 'vitest'
import { filled, firstCursor, fuzz } from '../../src/conformance/rules/cursors.js'

const seed = Number(process.env.ORACLE_SEED ?? 20_261_121)
const rounds = Number(process.env.CURSOR_ROUNDS ?? 10_000)

test(`PAGE-3: ${rounds} damaged cursors, seed ${seed}`, { timeout: 1_800_000 }, async () => {
  const table = await filled(createMapper(memory()))
  const { refused, read } = await fuzz(table, await firstCursor(table), rounds, seed)
  expect(refused + read).toBe(rounds)
  expect(refused).toBeGreaterThan(rounds / 2)
  console.log(`${refused} refused, ${read} read inside their query`)
})
