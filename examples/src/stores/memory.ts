import { memory } from 'rowkey'
import type { Open } from './open-stores.js'

export const open: Open = async () => ({ version: '', adapter: memory(), close: () => undefined })
