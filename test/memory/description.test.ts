import { memory, memoryStore } from '@rowkey/memory'
import { testDescription } from '../stores/described.js'

testDescription(memoryStore, memory(), () => import('../../adapters/memory/src/description.js'))
