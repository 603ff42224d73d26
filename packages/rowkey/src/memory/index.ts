export { memory } from './adapter.js'
export { memoryStore } from './description.js'
export type { MemoryOptions } from './options.js'
// For the benchmark of engines.
export { LeafScan, type Walk } from './scan.js'
export { KeyedTree } from './tree/keyed-tree.js'
