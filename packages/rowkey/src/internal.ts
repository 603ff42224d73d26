// For packages that integrate rowkey only: nothing here is stable.
export { said, show, showName } from '@rowkey/codec/internal'
