import { nullable, text, uint32, type Row } from 'rowkey/codec'
import { lmdb } from '@rowkey/lmdb'
import { defineTable } from 'rowkey'
import { scaled } from '@rowkey/servers/scale'
import type { TableSchema } from 'rowkey/adapter'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drain, open, strong } from '../../../test/kit/schemas.js'
import { build, output, start } from './child.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
beforeAll(build, 180_000)
afterAll(folder.remove)

const kills = scaled(3)
const ledger = (): TableSchema => defineTable('ledger', { columns: { id: uint32(), body: text(), turn: nullable(uint32()) }, key: ['id'] })

/** Kills a writer at a random moment after its first acknowledgements; gives what it had acknowledged. */
async function killed(path: string, seed: number, mode: string): Promise<readonly string[]> {
  const child = start('writer.mjs', [path, String(seed), mode])
  const ended = output(child)
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 200))
  child.kill('SIGKILL')
  const { signal, lines, errors } = await ended
  expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' })
  return lines
}

test(
  `kill -9 of a writer, ${kills} times: every acknowledged row is there, none is torn, batches are whole`,
  { timeout: 180_000 + kills * 10_000 },
  async () => {
    const path = folder.path('killed')
    const rows = new Map<number, number>()
    const batches = new Map<number, number>()
    let acknowledged = 0
    for (let time = 0; time < kills; time++) {
      const modes = time % 3 === 2 ? ['single', 'batch'] : [time % 3 === 0 ? 'single' : 'batch'] // at times two processes on one file
      const said = await Promise.all(modes.map((mode) => killed(path, 1 + time, mode)))
      for (const line of said.flat()) {
        const [what, id, turn] = line.split(' ')
        if (what === 'row') rows.set(Number(id), Number(turn))
        if (what === 'batch') batches.set(Number(id), Number(turn))
        if (what !== 'ready') acknowledged++
      }

      const { store, table } = await open(ledger(), lmdb(path))
      const found = new Map((await drain(table.fullScan(undefined, strong), 1000)).map((row: Row) => [row[0] as number, row]))
      await store.close()
      for (const [, [, body, turn]] of found) expect(body).toBe(`${String(turn)}:`.repeat(1 + (Number(turn) % 200)))
      for (const [id, turn] of rows) expect(found.get(id)?.[2], `row ${id}`).toBeGreaterThanOrEqual(turn)
      for (const [first, turn] of batches) {
        const turns = new Set(Array.from({ length: 40 }, (_, i) => found.get(first + i)?.[2]))
        expect(turns.size, `batch ${first}`).toBe(1)
        expect([...turns][0]).toBeGreaterThanOrEqual(turn)
      }
    }
    expect(acknowledged).toBeGreaterThan(kills * 5)
    console.log(`${kills} kills, ${acknowledged} acknowledged writes, ${rows.size} rows and ${batches.size} batches checked`)
  },
)
