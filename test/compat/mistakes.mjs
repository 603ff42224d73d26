// What a compiler says of the mistakes, and what it should say.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const pages = ['classes.ts', 'calls.ts']
const folder = fileURLToPath(new URL('mistakes', import.meta.url))
export const modes = ['legacy', 'standard']

/** Every mistake: where it is, its line, and the text that the message must contain in each mode. */
export const mistakes = pages.flatMap((page) => {
  const lines = readFileSync(join(folder, page), 'utf8').split('\n')
  const found = []
  let wanted = []
  lines.forEach((line, i) => {
    const [, text] = /^ *\/\/! (.*)$/.exec(line) ?? []
    if (text !== undefined) wanted.push(text)
    else if (wanted.length > 0) {
      const texts = wanted
      const says = (mode) =>
        texts
          .filter((each) => !/^(legacy|standard): /.test(each) || each.startsWith(mode))
          .map((each) => each.replace(/^(legacy|standard): /, ''))
      found.push({ at: `${page}:${i + 1}`, line: line.trim(), says })
      wanted = []
    }
  })
  return found
})

/** Writes the pages and their tsconfig.json. `app`: a new folder below one that has `rowkey` installed. */
export function writePages(app, mode, options = {}) {
  cpSync(folder, app, { recursive: true })
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    experimentalDecorators: mode === 'legacy',
    ...options,
  }
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: pages }))
}

/** Messages by place, from what a compiler printed. */
export function messagesIn(output) {
  const messages = new Map()
  let at = ''
  for (const line of output.split('\n')) {
    const [, page, number, text] = /^([^(]+)\((\d+),\d+\): error (.*)$/.exec(line) ?? []
    if (page !== undefined) at = `${page}:${number}`
    if (line.trim() !== '') messages.set(at, [...(messages.get(at) ?? []), text ?? line])
  }
  return messages
}

/** The order in which compilers show the members of a union is their own. */
function sorted(text) {
  const literal = '(?:"[^"]*"|`[^`]*`)'
  return text.replaceAll(new RegExp(`${literal}(?: \\| ${literal})+`, 'g'), (union) => union.split(' | ').sort().join(' | '))
}

/** What is wrong with the messages: mistakes of which they do not say what they should, and others. */
export function faultsOf(messages, mode) {
  const known = new Set(mistakes.map(({ at }) => at))
  return [
    ...mistakes.flatMap(({ at, line, says }) => {
      const text = (messages.get(at) ?? []).join('\n')
      const wanted = says(mode)
      const isRight = wanted.length === 0 ? text === '' : wanted.every((each) => sorted(text).includes(sorted(each)))
      return isRight ? [] : [`${at} ${line}\n  ${text}`]
    }),
    ...[...messages].flatMap(([at, lines]) => (known.has(at) ? [] : [`${at}: no mistake\n  ${lines.join('\n')}`])),
  ]
}
