// Tested by stores-url.test.ts.
import type { Surroundings } from '../shell.js'
import { pathSchemes } from '../store-list.js'

/** The variables whose values are never printed. */
const isSecret = (name: string): boolean => /_(?:PASSWORD|SECRET|SECRET_ACCESS_KEY|TOKEN)$/.test(name)

const urls = new RegExp(String.raw`\b(?!(?:${['file', ...pathSchemes].join('|')}):)([a-z]+:\/\/)[^\s'"]*@`, 'gi')

/** Shorter ones would be found in any text, and tell nothing. */
const minLength = 3

/** A text in which the credentials of the environment, and those before the host of a URL, are replaced by `***`. */
export function withoutSecrets(text: string, env: Surroundings['env']): string {
  const values = Object.entries(env).flatMap(([name, value = '']) => (isSecret(name) && value.length >= minLength ? [value] : []))
  const hidden = values.flatMap((value) => [value, encodeURIComponent(value)]).reduce((rest, value) => rest.replaceAll(value, '***'), text)
  // The place of a file has none, and folders may be called a@b.
  return hidden.replace(urls, '$1***@')
}
