import { oracleSuite } from './suite.js'

oracleSuite(1, 2)
