import { memory } from 'rowkey'
import type { StoreKit } from '../../../../test/kit/store-kit.js'

export const kit: StoreKit = { factory: [[], () => memory()], offline: () => memory(), on: {} }
