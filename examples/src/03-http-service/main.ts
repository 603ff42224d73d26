// A service over HTTP: PORT (3000) and REDIS_URL (none: in memory) of the environment.
import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { AppModule } from './app-module.js'

const { PORT = '3000', REDIS_URL, CURSOR_SECRET = 'only for this example' } = process.env
const app = await NestFactory.create(AppModule.with(REDIS_URL, CURSOR_SECRET), { logger: ['error', 'warn'] })
app.enableShutdownHooks() // Ctrl-C closes the store too
await app.listen(Number(PORT), '127.0.0.1')
const url = await app.getUrl()
console.log(`Orders at ${url}, kept in ${REDIS_URL === undefined ? 'memory' : 'Redis'}. Ctrl-C ends it.

  curl -s ${url}/orders -H 'content-type: application/json' -d '{"no":"A1","buyer":"ann","cents":1200}'
  curl -s ${url}/orders/A1
  curl -s '${url}/buyers/ann/orders?limit=2'`)
