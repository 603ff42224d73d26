import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { packages, sourceFolderOf } from '../house/sources.js'
import { pages, read } from './pages.js'

const root = new URL('../../', import.meta.url)
const exists = (path: string): boolean => existsSync(new URL(path, root))
const top = new Set(readdirSync(root))

/** Prose without its blocks of code. */
const proseOf = (page: string): string => read(page).replaceAll(/^```[^]*?^```/gm, '')
const links = (page: string): string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target).filter((target) => !/^(https?:|mailto:|#)/.test(target))

/** Paths in backticks: with a slash, and either a file ending or a first part that is a file of the root. */
function paths(page: string): string[] {
  const marked = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  return marked.filter(
    (text) => /^[\w.][\w./-]*$/.test(text) && text.includes('/') && (/\.\w+$/.test(text) || top.has(text.split('/')[0] ?? '')),
  )
}

/** A path may be written from the root, from the page's own folder, or from the sources of a package. */
function found(page: string, path: string): boolean {
  const from = [posix.dirname(page), '.', ...packages.map(sourceFolderOf)]
  return from.some((folder) => exists(posix.join(folder, path)))
}

const all = pages()

test.each(all)('%s: relative links lead somewhere', (page) => {
  expect(links(page).filter((target) => !exists(posix.join(posix.dirname(page), target.replace(/#.*$/, ''))))).toEqual([])
})

test.each(all)('%s: paths exist', (page) => {
  expect(paths(page).filter((path) => !found(page, path))).toEqual([])
})

test.each(all)('%s: anchors exist', (page) => {
  const anchors = (target: string): string[] => (read(target).match(/^#+ .*$/gm) ?? []).map(slug)
  const broken = links(page).filter((target) => {
    const [file = '', anchor] = target.split('#')
    return anchor !== undefined && !anchors(posix.join(posix.dirname(page), file)).includes(anchor)
  })
  expect(broken).toEqual([])
})

test.each(all)('%s: commands exist', (page) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const own = new Set(['install', 'exec', 'dlx', ...Object.keys(scripts)])
  const named = [...read(page).matchAll(/\bpnpm(?:@\d+)? ([a-z][\w:-]*)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !own.has(name))).toEqual([])
})

test('the pages speak of paths and commands at all', () => {
  expect(paths('ARCHITECTURE.md').length).toBeGreaterThan(20)
  expect(paths('CONTRIBUTING.md').length).toBeGreaterThan(20)
})

/** The anchor of a heading, as code hosts make it. */
function slug(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
