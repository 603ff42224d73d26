import { httpServiceTests } from '../examples/http-service.js'
import { withServer } from '../setup/with-server.js'

withServer('redis', ({ url }) => {
  httpServiceTests(() => ({ REDIS_URL: url }))
})
