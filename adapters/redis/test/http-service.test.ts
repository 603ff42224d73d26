import { httpServiceTests } from '../../../test/examples/http-service.js'
import { withServer } from '../../../test/setup/with-server.js'

withServer('redis', ({ url }) => {
  httpServiceTests(() => ({ REDIS_URL: url }))
})
