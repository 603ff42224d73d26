import { HBaseError, type HBaseClient } from '@rowkey/hbase-client'
import { read } from '../../../test/docs/pages.js'
import { wrapped } from './wrapped.js'

const [, section = ''] = read('adapters/hbase/README.md').split('## Permissions')

/** The calls of the README's table, by what has to be granted for them. */
const listed = new Map(
  (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [calls = '', right = ''] = line.split('|').slice(1)
      return [right.trim(), [...calls.matchAll(/`(\w+)`/g)].map(([, call]) => call ?? '')]
    }),
)
/** The calls that need these rights. */
export const callsWith = (...rights: readonly string[]): readonly string[] => rights.flatMap((right) => listed.get(right) ?? [])
/** All that the README lists. */
export const allCalls = [...listed.values()].flat()

/** The gateway's answer to what the application's user may not do. */
export const denied = (call: string): HBaseError => {
  const serverMessage = `org.apache.hadoop.hbase.security.AccessDeniedException: Insufficient permissions (user=app, call=${call})`
  const details = { call, isSent: true, canRetry: false, javaClass: 'AccessDeniedException', serverMessage }
  return new HBaseError('SERVER', `was refused by HBase: ${serverMessage}`, details)
}

/** Refuses, as HBase, all calls but these. */
export const allowing = (client: HBaseClient, allowed: readonly string[], used = new Set<string>()): HBaseClient =>
  wrapped(client, (name, call, given) => {
    if (name === 'close') return call(...given)
    used.add(name)
    return allowed.includes(name) ? call(...given) : Promise.reject(denied(name))
  })
