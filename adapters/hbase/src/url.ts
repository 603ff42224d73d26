// Tested by packages/cli/test/stores-url.test.ts.
import type * as hbaseClient from '@rowkey/hbase-client'
import { catalogTable } from './options.js'
import type { SharedTable, StoreOpening } from 'rowkey/adapter'

/** How a URL opens it. */
export const opening: StoreOpening = Object.freeze({
  form: 'hbase://host:port/namespace?transport=',
  parameters: ['transport', 'profile', 'tls'],
  credentials: 'HBASE_USERNAME and HBASE_PASSWORD',
  rights: (_prefix, { inside }) => [`grant 'app', 'RWC', '@${inside === '' ? 'default' : inside}'`],
  drivers: ['@rowkey/hbase-client'],
  open([{ HBaseClient }]: readonly [typeof hbaseClient], opener) {
    const { place, inside } = opener.url
    const transport = opener.oneOf('transport', ['unframed', 'framed', 'http'])
    const profile = opener.oneOf('profile', ['hbase', 'lindorm'])
    const { username, password } = opener.credentials('HBASE')
    const isNamed = username !== undefined && password !== undefined
    if (isNamed && transport !== 'http') opener.refuse('HBASE_USERNAME and HBASE_PASSWORD are only sent with ?transport=http.')
    const client = new HBaseClient({
      ...opener.host(place, 9090),
      transport,
      ...(isNamed ? { headers: { ACCESSKEYID: username, ACCESSSIGNATURE: password } } : {}),
      ...(opener.flag('tls') ? { tls: true } : {}),
      connectTimeout: opener.connectMs,
      timeout: opener.answerMs,
    })
    const options = { profile, ...(inside === '' ? {} : { namespace: inside }) }
    return { arguments: [client, options], shared: sharedTable(client, inside), close: () => client.close() }
  },
} satisfies StoreOpening)

/** The table of catalogs. A dropped table leaves nothing in it. */
function sharedTable(client: hbaseClient.HBaseClient, namespace: string): SharedTable {
  const name = namespace === '' ? catalogTable : `${namespace}:${catalogTable}`
  return {
    name,
    isThere: () => client.tableExists(name),
    async forget(_prefix, isNew) {
      if (!isNew || !(await client.tableExists(name))) return
      if ((await client.scan(name, {}, 1)).length > 0) return
      await client.disableTable(name)
      await client.deleteTable(name)
    },
  }
}
