import { knownStores, type StoreDescription } from '#store/adapter'
import { capabilities } from './capabilities.js'

/**
 * What a store in memory can do.
 *
 * @example
 * ```ts
 * memoryStore.capabilities.atomic.scope // 'store'
 * ```
 */
export const memoryStore: StoreDescription = Object.freeze({ name: 'memory', capabilities, facts: knownStores.memory })
