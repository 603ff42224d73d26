import { oracleSuite } from './suite.js'

oracleSuite(2, 2)
