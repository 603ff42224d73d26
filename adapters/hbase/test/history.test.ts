import { hbase } from '@rowkey/hbase'
import { describe } from 'vitest'
import { underFaults } from '../../../test/history/faults.js'
import { withServer } from '../../../test/setup/with-server.js'
import { clientOf, suiteTransports } from './connected.js'

withServer('hbase', (connection) => {
  describe.each(suiteTransports)('%s', (transport) => {
    underFaults({
      name: `hbase, ${transport}`,
      port: connection.gateways[transport],
      survivesCuts: true,
      hasBatches: false,
      plainWrites: 'instants',
      open(port) {
        const client = clientOf({ ...connection, gateways: { ...connection.gateways, [transport]: port } }, transport, {
          timeout: 5000,
          connections: 2,
        })
        return { adapter: hbase(client), close: () => client.close() }
      },
    })
  })
})
