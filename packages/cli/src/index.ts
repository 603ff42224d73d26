// What other tools take from the command: models as data, and texts of keys and queries.
export { loadModels, type LoadedModel, type ModelSources } from './load/load-models.js'
export type { Config, LintInput } from './load/config.js'
export { describeLayout, type LayoutDescription, type LayoutPart } from './layout/describe-layout.js'
export { whereOf, type Where } from './where/where-of.js'
export { lockOf, readLock, type LockedTable, type LockFile } from './lock/lock-file.js'
export { compareWithLock, type ByteDifference, type ExamplePart, type Verdict } from './lock/compare.js'
export type { Change } from './lock/changes.js'
export { Failure } from './failure.js'
