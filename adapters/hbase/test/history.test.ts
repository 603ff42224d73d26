import { describe } from 'vitest'
import { underFaults } from '../../../test/history/faults.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connectSuite, suiteRuns } from './connected.js'

withServer('hbase', (connection) => {
  describe.each(suiteRuns)('%s, profile %s', (transport, profile) => {
    underFaults({
      name: `hbase, ${transport}, ${profile}`,
      port: connection.gateways[transport],
      survivesCuts: true,
      hasBatches: false,
      plainWrites: 'instants',
      async open(port) {
        const wired = { ...connection, gateways: { ...connection.gateways, [transport]: port } }
        const { adapter, dispose } = await connectSuite(wired, transport, { profile }, { timeout: 5000, connections: 2 })
        return { adapter, close: dispose }
      },
    })
  })
})
