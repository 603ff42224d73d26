import { connect } from './connected.js'
import { withServer } from '../../../test/setup/with-server.js'
import { guidesOn } from '../../../test/guides/guides-on.js'

withServer('cassandra', (connection) => {
  guidesOn('cassandra', async () => {
    const { adapter, dispose } = await connect(connection)
    return { adapter, dropsTables: true, dispose }
  })
})
