import { lmdb } from '@rowkey/lmdb'
import { createMapper, defineTable } from 'rowkey'
import { bucket, int32, nullable, text } from 'rowkey/codec'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, output, start } from './child.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
beforeAll(build, 180_000)
afterAll(folder.remove)

// As in copy-models.mjs.
const columns = { n: int32(), note: nullable(text()) }
const Old = defineTable('old_rows', { columns, key: ['n'], writes: 'plain' })
const New = defineTable('new_rows', { columns, key: ['note', 'n'], salt: bucket({ of: 'n', count: 4 }), writes: 'plain' })
const count = 20_000

test(
  'COPY-5: a copy that is killed again and again continues with the last checkpoint it has printed, and is verified',
  { timeout: 300_000 },
  async () => {
    const [from, to] = [folder.path('from'), folder.path('to')]
    const source = createMapper(lmdb(from, { sync: false }))
    await source.ensureTables([Old])
    await source.repository(Old).putMany(Array.from({ length: count }, (_, n) => ({ n, note: n % 3 === 0 ? null : `note ${n}` })))
    await source.close()

    let checkpoint = ''
    let kills = 0
    for (let attempt = 0; ; attempt++) {
      const child = start('copying.mjs', [from, to, checkpoint])
      const ended = output(child)
      if (attempt < 4) {
        // At a moment between two pages, or in one.
        child.stdout?.once('data', () => setTimeout(() => child.kill('SIGKILL'), attempt * 30))
      }
      const { signal, lines, errors } = await ended
      expect(errors).toBe('')
      const pages = lines.filter((line) => !line.startsWith('done'))
      checkpoint = pages.at(-1)?.split(' ')[1] ?? checkpoint
      if (signal === 'SIGKILL') {
        kills++
        expect(pages.length).toBeGreaterThan(0)
        continue
      }
      expect(lines.at(-1)).toBe(`done ${count} ${count}`)
      break
    }
    expect(kills).toBeGreaterThan(1)

    const target = createMapper(lmdb(to))
    const found = new Set<number>()
    for await (const { n, note } of target.repository(New).readAll()) {
      expect(note).toBe(n % 3 === 0 ? null : `note ${n}`)
      found.add(n)
    }
    expect(found.size).toBe(count)
    await target.close()
  },
)
