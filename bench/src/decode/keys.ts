import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bucket, defineTable, desc, text, timestamp, toHex } from 'rowkey'

const Logs = defineTable('logs', {
  columns: { host: text(), at: desc(timestamp('ms')), line: text() },
  key: ['host', 'at'],
  salt: bucket({ of: 'host', count: 16 }),
})

/** What all parties are given. */
export interface Keys {
  /** The schema as JSON. */
  readonly models: string
  /** Rowkeys of 16 to 18 bytes in hex, one a line. */
  readonly many: string
  /** The first one of them: what a party takes to start. */
  readonly one: string
}

/** Writes the files of the keys: of a thousand hosts in turn, 137 milliseconds apart. */
export function writeKeys(folder: string, count: number): Keys {
  const lines = Array.from({ length: count }, (_, n) => toHex(Logs.layout.rowkey([`web-${n % 1000}`, 1_767_225_600_000 + n * 137])))
  const file = (name: string, content: string): string => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  return {
    models: file('models.json', JSON.stringify([Logs])),
    many: file('many.txt', `${lines.join('\n')}\n`),
    one: file('one.txt', `${lines[0] ?? ''}\n`),
  }
}
