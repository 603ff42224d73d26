import { hbase } from '@rowkey/hbase'
import { describe } from 'vitest'
import { underFaults } from '../../../test/history/faults.js'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, suiteRuns } from './connected.js'

withServer('hbase', (connection) => {
  describe.each(suiteRuns)('%s, profile %s', (transport, profile) => {
    underFaults({
      name: `hbase, ${transport}, ${profile}`,
      port: connection.gateways[transport],
      survivesCuts: true,
      hasBatches: false,
      plainWrites: 'instants',
      open(port) {
        const client = clientOf({ ...connection, gateways: { ...connection.gateways, [transport]: port } }, transport, {
          timeout: 5000,
          connections: 2,
        })
        return { adapter: hbase(client, { profile }), close: () => client.close() }
      },
    })
  })
})
