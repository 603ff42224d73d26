import { memory, memoryStore } from '#memory'
import { testDescription } from '../../../../test/kit/described.js'

testDescription(memoryStore, memory(), () => import('../../src/memory/description.js'))
