export { memory } from './adapter.js'
