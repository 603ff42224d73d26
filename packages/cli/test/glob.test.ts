import { expect, test } from 'vitest'
import { filesOf } from '../src/load/glob.js'
import { project } from './command.js'

const { folder, path } = project({
  'a.ts': '',
  'a.test.ts': '',
  'src/b.ts': '',
  'src/deep/c.ts': '',
  'src/deep/c.json': '',
  'src/.hidden/d.ts': '',
  'src/node_modules/e.ts': '',
  'src/odd+(name).ts': '',
})

test.each([
  ['*.ts', ['a.test.ts', 'a.ts']],
  ['?.ts', ['a.ts']],
  ['src/*.ts', ['src/b.ts', 'src/odd+(name).ts']],
  ['src/**/*.ts', ['src/b.ts', 'src/deep/c.ts', 'src/odd+(name).ts']],
  ['**/c.*', ['src/deep/c.json', 'src/deep/c.ts']],
  ['src/*/c.json', ['src/deep/c.json']],
  ['./src/b.ts', ['src/b.ts']],
  ['missing.ts', ['missing.ts']],
  ['missing/*.ts', []],
  ['src/odd+(n*.ts', ['src/odd+(name).ts']],
])('%s', (pattern, files) => {
  expect(filesOf(pattern, folder)).toEqual(files.map(path))
})

test('an absolute pattern does not depend on the folder', () => {
  expect(filesOf(path('src/*.ts'), '/')).toEqual([path('src/b.ts'), path('src/odd+(name).ts')])
})
