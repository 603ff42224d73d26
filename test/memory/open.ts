import { memory } from 'rowkey'
import type { StoreKit } from '../stores/kit.js'

export const kit: StoreKit = { factory: [[], () => memory()], offline: () => memory(), on: {} }
