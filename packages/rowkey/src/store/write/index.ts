// How mutations reach a store. The mapper has one file that may import it, its sender.
export { checkScope, refusalError, writeAtomic, writeAtomicNow, type Refusal } from './write-atomic.js'
export { writeEach, writeMany } from './write-many.js'
export { outcomeNow, writeNow, writeOne } from './write-one.js'
