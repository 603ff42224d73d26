import type { Benchmark } from '../run-contests.js'
import { contests } from './contests.js'
import { dataOf } from './data.js'
import { report } from './report.js'

export const storesBenchmark: Benchmark = { contests, worker: new URL('worker.js', import.meta.url), report, dataOf }
