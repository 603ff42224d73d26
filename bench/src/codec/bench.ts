import type { Benchmark } from '../run-contests.js'
import { contests } from './contests.js'
import { dataOf } from './report/data.js'
import { report } from './report/report.js'

export const codecBenchmark: Benchmark = { contests, worker: new URL('worker.js', import.meta.url), report, dataOf }
