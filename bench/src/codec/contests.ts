import type { Contest } from '../duel/contestant.js'
import { awkwardContest } from './awkward-contest.js'
import type { Candidate } from './candidates/candidate.js'
import { handWritten, handWrittenRows } from './candidates/hand.js'
import { md5Recipes } from './candidates/md5-recipes.js'
import { peers } from './candidates/peers.js'
import { rowkey, rowkeyAmongOthers, rowkeyRows } from './candidates/rowkey.js'
import { compareContest } from './compare-contest.js'
import { md5Contest } from './md5-contest.js'
import { workloadContest } from './workload-contest.js'
import { workloads } from './workloads.js'

const candidates: readonly Candidate[] = [rowkey, rowkeyRows, rowkeyAmongOthers, handWritten, handWrittenRows, ...peers, ...md5Recipes]

export const contests: readonly Contest[] = [
  ...workloads.map((workload) => workloadContest(workload, candidates)),
  compareContest,
  md5Contest,
  awkwardContest([rowkey, ...peers]),
]
