import { memory } from 'rowkey'
import { oracleSuite } from './suite.js'

oracleSuite('memory', memory, { part: 1, parts: 2 })
