// Tested by test/packaging/umbrella.test.ts.
export * from 'rowkey/codec'
