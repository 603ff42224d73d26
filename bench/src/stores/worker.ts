import { serve } from '../duel/serve.js'
import { contests } from './contests.js'

const [contest = '', name = '', connection = ''] = process.argv.slice(2)
await serve(contests, contest, name, connection)
