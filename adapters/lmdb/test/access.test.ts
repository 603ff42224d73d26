import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { lmdb } from '@rowkey/lmdb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, output, start } from './child.js'
import { scratchFolder } from '../../../test/kit/folder.js'

const folder = scratchFolder()
beforeAll(build, 180_000)
afterAll(folder.remove)

/** A store that everybody may use. */
async function shared(name: string): Promise<string> {
  const path = folder.path(name)
  await lmdb(path, { sync: false }).close()
  for (const each of [folder.path(''), path]) chmodSync(each, 0o777)
  for (const file of ['data.mdb', 'lock.mdb']) chmodSync(`${path}/${file}`, 0o666)
  return path
}

/** What a process of its own says, which LMDB might end. */
async function said(path: string): Promise<unknown> {
  const { code, signal, lines, errors } = await output(start('refusing.mjs', [path]))
  expect({ code, signal, errors }).toEqual({ code: 0, signal: null, errors: '' })
  return lines[0] === 'opened' ? 'opened' : JSON.parse(lines[0] ?? '')
}

test('a file that everybody may write is opened', async () => {
  expect(await said(await shared('all'))).toBe('opened')
})

test.each([
  ['data.mdb', '444'],
  ['data.mdb', '222'],
  ['lock.mdb', '444'],
  ['lock.mdb', '000'],
])('%s with the rights %s: STORE_UNUSABLE, and the process lives', async (file, mode) => {
  const path = await shared(`${file} ${mode}`)
  chmodSync(`${path}/${file}`, Number.parseInt(mode, 8))
  expect(await said(path)).toMatchObject({ code: 'STORE_UNUSABLE', reason: 'path', message: expect.stringContaining(file) as string })
})

test.each(['data.mdb', 'lock.mdb'])('a folder in the place of %s: STORE_UNUSABLE, and the process lives', async (file) => {
  const path = await shared(`folder ${file}`)
  rmSync(`${path}/${file}`)
  mkdirSync(`${path}/${file}`)
  expect(await said(path)).toMatchObject({ code: 'STORE_UNUSABLE', reason: 'foreign', message: expect.stringContaining(file) as string })
})
