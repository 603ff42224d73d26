// Tested by packages/cli/test/stores-url.test.ts.
import type * as kuduClient from '@rowkey/kudu-client'
import type { StoreOpening } from 'rowkey/adapter'

/** How a URL opens it. */
export const opening: StoreOpening = Object.freeze({
  form: 'kudu://host:port,host/database?hash=',
  parameters: ['hash', 'replicas'],
  credentials: 'KUDU_USERNAME',
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
    return {
      arguments: [client, { ...(inside === '' ? {} : { database: inside }), ...number('hash'), ...number('replicas') }],
      close: () => client.close(),
    }
  },
} satisfies StoreOpening)
