import { readFileSync } from 'node:fs'
import { fromHex, schemaFromJSON } from 'rowkey'
import { expect, test } from 'vitest'
import { writeKeys } from '../../bench/src/decode/keys.js'
import { decodeReport, runDecode } from '../../bench/src/decode/run.js'
import { readOptions } from '../../bench/src/options.js'
import { temporaryFolder } from '../servers/src/temporary.js'

test('the keys are different keys of the model', () => {
  const folder = temporaryFolder('rowkey-decode-test')
  try {
    const { models, many, one } = writeKeys(folder.path, 3000)
    const { layout } = schemaFromJSON((JSON.parse(readFileSync(models, 'utf8')) as object[])[0] ?? {})
    const lines = readFileSync(many, 'utf8').trimEnd().split('\n')
    expect(new Set(lines).size).toBe(3000)
    expect(readFileSync(one, 'utf8')).toBe(`${lines[0] ?? ''}\n`)
    const last: unknown[] = []
    layout.decode(fromHex(lines[2999] ?? ''), last as never)
    expect(last).toEqual(['web-999', 1_767_225_600_000 + 2999 * 137])
  } finally {
    folder.remove()
  }
})

test('a ratio is taken round by round, and says how fast the command is beside a party', () => {
  const rounds = new Map([
    ['rowkey decode', [100, 400, 100]],
    ['twice as fast', [50, 200, 50]],
    ['half as fast', [200, 800, 200]],
  ])
  const lines = decodeReport(rounds, 1_000_000).split('\n')
  expect(lines.slice(2).map((line) => line.split(/ {2,}/))).toEqual([
    ['rowkey decode', '10.00'],
    ['twice as fast', '20.00', '0.50', '0.50-0.50'],
    ['half as fast', '5.00', '2.00', '2.00-2.00'],
  ])
})

test('the command takes contests by their ids', async () => {
  const options = readOptions(['decode', '--only', '2M'])
  if (options === 'help') throw new Error('these options ask for no help')
  await expect(runDecode(options, () => undefined)).rejects.toThrow("there is no contest '2M'. There are 1M, 10M.")
})
