import { memory } from 'rowkey'
import { oracleSuite } from './suite.js'

oracleSuite('memory', memory, { part: 2, parts: 2 })
