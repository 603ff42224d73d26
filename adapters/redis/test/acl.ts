import { read } from '../../../test/docs/pages.js'

const [, section = ''] = read('adapters/redis/README.md').split('## Permissions')
/** The rules of the line that the README has for ACL SETUSER. */
export const listed = (/^ACL SETUSER app (.*)$/m.exec(section)?.[1] ?? '').split(' ')
export const listedCommands = listed.filter((rule) => rule.startsWith('+')).map((rule) => rule.slice(1))
/** What the text names for a cluster. */
export const ofCluster = [...(/A client of a cluster needs ([^.]*)/.exec(section)?.[1] ?? '').matchAll(/`(\+[^`]*)`/g)].map(
  ([, rule]) => rule ?? '',
)
