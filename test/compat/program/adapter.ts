// An adapter: its declarations name types of Node.js.
export type * from '@rowkey/redis'
