import { memory } from '@rowkey/memory'
import { oracleSuite } from './suite.js'

oracleSuite('memory', memory, 2, 2)
