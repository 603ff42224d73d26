import { serve } from './serve.js'

export const setup = serve('dynalite', 'moto', 'dynamodb')
