import { serve } from './serve.js'

export const setup = serve('cassandra')
