// Tested by stores-url.test.ts.
import type { Surroundings } from '../shell.js'

/** The variables whose values are never printed. */
const secret = ['REDIS_PASSWORD', 'CASSANDRA_PASSWORD', 'HBASE_PASSWORD', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']

/** Shorter ones would be found in any text, and tell nothing. */
const minLength = 3

/** A text in which the credentials of the environment, and those before the host of a URL, are replaced by `***`. */
export function withoutSecrets(text: string, env: Surroundings['env']): string {
  const values = secret.map((name) => env[name] ?? '').filter(({ length }) => length >= minLength)
  const hidden = values.flatMap((value) => [value, encodeURIComponent(value)]).reduce((rest, value) => rest.replaceAll(value, '***'), text)
  // The place of a file has none, and folders may be called a@b.
  return hidden.replace(/\b(?!(?:file|lmdb):)([a-z]+:\/\/)[^\s'"]*@/gi, '$1***@')
}
