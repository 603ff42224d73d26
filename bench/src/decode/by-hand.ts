import { bucket, desc, fromHex, keyLayout, text, timestamp } from 'rowkey/codec'
import { createInterface } from 'node:readline'

// The program that one would write instead of `rowkey decode logs`: it reads lines of hex, and prints the same.

const layout = keyLayout(
  [
    ['host', text()],
    ['at', desc(timestamp('ms'))],
  ],
  { salt: bucket({ of: 'host', count: 16 }) },
)
for await (const line of createInterface({ input: process.stdin })) {
  const { host, at } = layout.decode(fromHex(line))
  process.stdout.write(`host=${host} at=${at.toISOString()}\n`)
}
