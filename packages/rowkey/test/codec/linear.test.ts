import { bucket, desc, kuduHash, hashPrefix, keyLayout, nullable, separatedText, text, type ColumnType, type Salt } from '#codec'
import { describe, expect, test } from 'vitest'
import { whileReading } from '../../../../test/kit/reads.js'

/** The texts whose units a program reads, with the number of reads; the platform's own encoder is not seen. */
async function readsOf(run: () => unknown): Promise<ReadonlyMap<string, number>> {
  const reads = new Map<string, number>()
  await whileReading((what, method) => {
    if (method === 'charCodeAt' || method === 'codePointAt') reads.set(String(what), (reads.get(String(what)) ?? 0) + 1)
  }, run)
  return reads
}

const ofColumn = { of: 'column' } as const
const layouts: Readonly<Record<string, readonly [ColumnType, Salt<'column'>?]>> = {
  text: [text()],
  'desc(text)': [desc(text())],
  separatedText: [separatedText('|')],
  'desc(separatedText)': [desc(separatedText('|'))],
  'nullable(separatedText)': [nullable(separatedText('|'))],
  'separatedText under bucket': [separatedText('|'), bucket({ ...ofColumn, count: 16 })],
  'separatedText under hashPrefix': [separatedText('|'), hashPrefix(ofColumn)],
  'text under kuduHash': [text(), kuduHash({ ...ofColumn, count: 4 })],
}

// A text that is joined of two may be joined again at every unit that is read: engines put it off.
describe('encoding reads the units of the text that it is given, a few times each, and of no other', () => {
  for (const [name, [type, salt]] of Object.entries(layouts)) {
    test.each(['a', 'é', '😀'])(`${name}, %j`, async (letters) => {
      const layout = keyLayout([['column', type]], salt === undefined ? {} : { salt })
      const given = letters.repeat(200)
      layout.encode({ column: given })
      const reads = await readsOf(() => layout.encode({ column: given }))
      expect([...reads.keys()].filter((read) => read !== given)).toEqual([])
      expect(reads.get(given) ?? 0).toBeLessThanOrEqual(6 * given.length)
    })
  }

  test('separatedText is compared without joining', async () => {
    const layout = keyLayout([['column', separatedText('|')]]).rows
    const [long, short] = ['web'.repeat(200), 'web'.repeat(100)]
    const reads = await readsOf(() => {
      expect(layout.compareRows([long], [short])).toBeLessThan(0) // 'w' is below '|'
      expect(layout.compareRows([short], [long])).toBeGreaterThan(0)
      expect(layout.compareRows([`${short}~`], [short])).toBeGreaterThan(0)
      expect(layout.compareRows([short], [`${short}~`])).toBeLessThan(0)
      expect(layout.compareRows([`${short}a`], [`${short}b`])).toBeLessThan(0)
    })
    expect([...reads.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2 * short.length + 20)
  })
})
