export { memory } from './adapter.js'
export { memoryStore } from './description.js'
