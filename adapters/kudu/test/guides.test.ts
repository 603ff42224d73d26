import { guidesOn } from '../../../test/guides/guides-on.js'
import { withServer } from '../../../test/setup/with-server.js'
import { connect } from './connected.js'

withServer('kudu', (connection) => {
  guidesOn('kudu', async () => {
    const { adapter, dispose } = await connect(connection)
    return { adapter, dropsTables: true, dispose }
  })
})
