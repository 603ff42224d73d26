import { guidesOn } from '../../../test/guides/guides-on.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect } from './connected.js'

withServer('hbase', (connection) => {
  guidesOn('hbase', async () => {
    const { adapter, dispose } = await connect(connection, 'unframed', { namespace: 'guides' })
    return { adapter, dropsTables: true, dispose }
  })
})
