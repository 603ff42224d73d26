import { serve } from './serve.js'

export const setup = serve('redis', 'redis-cluster', 'dynalite', 'moto', 'cassandra')
