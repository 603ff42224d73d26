import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { lmdb } from '@rowkey/lmdb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, output, start } from './child.js'
import { scratchFolder } from '../../../test/kit/folder.js'
import { canBeRefused, withoutRights } from '../../../test/kit/rights.js'

const folder = scratchFolder()
beforeAll(build, 180_000)
afterAll(folder.remove)

/** A store that this user may use. */
async function store(name: string): Promise<string> {
  const path = folder.path(name)
  await lmdb(path, { sync: false }).close()
  return path
}

/** What a process of its own says, which LMDB might end. */
async function said(path: string): Promise<unknown> {
  const { code, signal, lines, errors } = await output(start('refusing.mjs', [path], withoutRights))
  expect({ code, signal, errors }).toEqual({ code: 0, signal: null, errors: '' })
  return lines[0] === 'opened' ? 'opened' : JSON.parse(lines[0] ?? '')
}

test('files that may be written are opened', async () => {
  expect(await said(await store('all'))).toBe('opened')
})

test.runIf(canBeRefused).each([
  ['data.mdb', '444'],
  ['data.mdb', '222'],
  ['lock.mdb', '444'],
  ['lock.mdb', '000'],
])('%s with the rights %s: STORE_UNUSABLE, and the process lives', async (file, mode) => {
  const path = await store(`${file} ${mode}`)
  chmodSync(`${path}/${file}`, Number.parseInt(mode, 8))
  expect(await said(path)).toMatchObject({ code: 'STORE_UNUSABLE', reason: 'path', message: expect.stringContaining(file) as string })
})

test.each(['data.mdb', 'lock.mdb'])('a folder in the place of %s: STORE_UNUSABLE, and the process lives', async (file) => {
  const path = await store(`folder ${file}`)
  rmSync(`${path}/${file}`)
  mkdirSync(`${path}/${file}`)
  expect(await said(path)).toMatchObject({ code: 'STORE_UNUSABLE', reason: 'foreign', message: expect.stringContaining(file) as string })
})
