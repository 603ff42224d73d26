export { conformance, type ConformanceOptions, type SkippedRule } from './suite/conformance.js'
export { oracle, OracleMismatch, type OracleOptions, type OracleReport } from './oracle/oracle.js'
export type { CreateAdapter, OpenAdapter } from './open-adapter.js'
export { RuleBroken } from './check.js'
