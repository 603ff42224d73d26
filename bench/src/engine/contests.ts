import type { Contest } from '../duel/contestant.js'
import { engineContest } from './engine-contest.js'
import { repositoryContest } from './repository-contest.js'

export const contests: readonly Contest[] = [engineContest(10_000), engineContest(100_000), engineContest(1_000_000), repositoryContest]
