import { memory } from '@rowkey/memory'
import { oracleSuite } from './suite.js'

oracleSuite('memory', memory, 1, 2)
