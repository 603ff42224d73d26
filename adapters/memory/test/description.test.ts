import { memory, memoryStore } from '@rowkey/memory'
import { testDescription } from '../../../test/kit/described.js'

testDescription(memoryStore, memory(), () => import('../src/description.js'))
