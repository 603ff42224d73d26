import { connect } from '../cassandra/connected.js'
import { withServer } from '../setup/with-server.js'
import { guidesOn } from './guides-on.js'

withServer('cassandra', (connection) => {
  guidesOn('cassandra', async () => {
    const { adapter, dispose } = await connect(connection)
    return { adapter, dropsTables: true, dispose }
  })
})
