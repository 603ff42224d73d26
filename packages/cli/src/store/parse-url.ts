// Tested by stores-url.test.ts.
import type { OpeningUrl, StoreOpening } from 'rowkey/adapter'
import { Failure } from '../failure.js'
import { schemesText, storeOfScheme, stores } from '../store-list.js'

/** Where a store is, without its credentials. */
export interface StoreUrl extends OpeningUrl {
  /** As it may be printed: it has no password, because one with a password is refused. */
  readonly text: string
}

/**
 * The store that a URL names. No message repeats the URL, because it may contain a password in a place where none is expected.
 *
 * @throws Failure
 */
export function storeOfUrl(given: string): string {
  const store = storeOfScheme(schemeOf(given))
  if (store === undefined)
    throw new Failure(`the URL of the store is none that rowkey knows. Give one that begins with one of: ${schemesText()}.`)
  return store
}

/** The parts of a URL, of a store that is opened in this way. @throws Failure */
export function parseUrl(given: string, { form, parameters: known, credentials }: StoreOpening): StoreUrl {
  const scheme = schemeOf(given)
  const rest = given.slice(scheme.length + 1)
  if (stores[storeOfUrl(given)]?.hasPaths === true) return pathUrl(given, scheme, rest, form)
  if (rest.includes('@')) throw withCredentials(scheme, credentials)
  const [, place = '', inside = '', query = ''] = /^\/\/([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(rest) ?? []
  if (place === '') throw new Failure(`the ${scheme}: URL is incomplete. Give ${form}.`)
  const parameters = new Map(new URLSearchParams(query))
  const all = ['prefix', ...known]
  for (const key of parameters.keys()) {
    if (/pass|secret|token|auth|user/i.test(key)) throw withCredentials(scheme, credentials)
    if (!all.includes(key)) throw new Failure(`the ${scheme}: URL has a parameter that is none of: ${all.join(', ')}.`)
  }
  return { scheme, text: given, place, inside: decoded(inside), parameters }
}

const schemeOf = (given: string): string => (/^([a-z]+):/i.exec(given)?.[1] ?? '').toLowerCase()

/** A path as the shell has it, and after three slashes a URL, with escapes for what a URL cannot have. */
function pathUrl(given: string, scheme: string, rest: string, form: string): StoreUrl {
  const isUrl = rest.startsWith('///')
  if (isUrl && /[?#]/.test(rest)) {
    throw new Failure(`an ${scheme}:/// URL has no parameters. Write ? as %3F and # as %23, or give the path as it is: ${form}.`)
  }
  const place = isUrl ? decoded(rest.slice(2)) : rest
  if (place === '' || place.includes('\0')) throw new Failure(`the ${scheme}: URL has no folder. Give ${form}.`)
  return { scheme, text: given, place, inside: '', parameters: new Map() }
}

function withCredentials(scheme: string, variables: string | undefined): Failure {
  const instead = variables === undefined ? '' : ` Set ${variables} in the environment instead.`
  return new Failure(
    `the ${scheme}: URL contains credentials. Arguments are seen by other users and kept in the history of the shell.${instead}`,
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw new Failure('the URL of the store has a % that is no escape.', undefined, { cause: error })
  }
}

/**
 * A host and its port.
 *
 * @throws Failure
 */
export function hostOf(place: string, otherwise: number): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(place) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? otherwise : Number(digits)
  if (host === undefined || port < 1 || port > 65_535) throw new Failure('the URL of the store has no host with a port from 1 to 65535.')
  return { host, port }
}
