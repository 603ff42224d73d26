// Tested by packages/cli/test/stores-url.test.ts.
import type * as kuduClient from '@rowkey/kudu-client'
import { catalogTable } from './options.js'
import { sharedTable } from './schema/shared-table.js'
import type { StoreOpening } from 'rowkey/adapter'

/** How a URL opens it. */
export const opening: StoreOpening = Object.freeze({
  form: 'kudu://host:port,host/database?hash=',
  parameters: ['hash', 'replicas'],
  credentials: 'KUDU_USERNAME',
  rights: (prefix, { inside }) => [
    `CREATE, ALTER, DROP, METADATA, SELECT, INSERT, UPDATE and DELETE on the tables ${inside === '' ? '' : `${inside}.`}${prefix}* and ${inside === '' ? '' : `${inside}.`}${catalogTable}, where Kudu asks Ranger`,
  ],
  drivers: ['@rowkey/kudu-client'],
  open([{ KuduClient }]: readonly [typeof kuduClient], opener) {
    const { place, inside, parameters } = opener.url
    const masters = place.split(',').map((each) => {
      const { host, port } = opener.host(each, 7051)
      return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    })
    const { username } = opener.credentials('KUDU')
    const number = (name: string): object => {
      const given = parameters.get(name)
      if (given !== undefined && !/^\d{1,9}$/.test(given)) opener.refuse(`the parameter ${name} of a kudu: URL is a whole number.`)
      return given === undefined ? {} : { [name]: Number(given) }
    }
    const client = new KuduClient({
      masters,
      ...(username === undefined ? {} : { user: username }),
      connectTimeout: opener.connectMs,
      timeout: opener.answerMs,
    })
    const options = { ...(inside === '' ? {} : { database: inside }), ...number('hash'), ...number('replicas') }
    return { arguments: [client, options], shared: sharedTable(client, options), close: () => client.close() }
  },
} satisfies StoreOpening)
