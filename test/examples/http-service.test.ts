import { httpServiceTests } from './http-service.js'

httpServiceTests(() => ({}))
