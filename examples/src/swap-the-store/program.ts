import { isRowkeyError, type Mapper } from 'rowkey'
import { Account, Reading } from './models.js'
import { accounts, readings } from './rows.js'

/** A question and what the store says. */
export type Answer = readonly [question: string, answer: unknown]

/**
 * The program that every store runs. `foreign` is a cursor that another store has given.
 *
 * @throws RowkeyError `NOT_SUPPORTED` before anything is written, if the store cannot hold tables of these models
 */
export async function program(db: Mapper, foreign?: string): Promise<{ readonly answers: readonly Answer[]; readonly cursor: string }> {
  const [read, account] = [db.repository(Reading), db.repository(Account)]
  await db.dropTables([Reading, Account])
  await db.ensureTables([Reading, Account])
  await read.putMany(readings)
  await account.putMany(accounts)
  const [first, second] = [readings[0], readings[1]] as [(typeof readings)[0], (typeof readings)[0]]
  const closed = { customer: 'ann', closed: accounts[3]?.closed ?? null, id: accounts[3]?.id ?? '' }
  const answers: Answer[] = []
  const ask = async (question: string, answer: () => Promise<unknown>): Promise<void> => {
    answers.push([question, await answer().catch(refusal)])
  }

  await ask('rows of a table', () => read.scan({}, { unbounded: true }).toArray())
  await ask('the same backwards', () => read.scan({}, { unbounded: true, order: 'reverse' }).toArray())
  await ask('one sensor, newest first', () => read.scan({ site: 'a', sensor: 0 }).toArray())
  await ask('a window of time', () =>
    read.scan({ site: 'ab', sensor: 1, at: { gte: new Date('2026-01-10'), lt: new Date('2026-02-01') } }).toArray(),
  )
  await ask('sites that begin alike', () => read.scan({ site: { startsWith: 'a' } }).toArray())
  await ask('filtered, and only some columns', () =>
    read.scan({ site: { in: ['', 'zürich'] }, value: { gt: 0 } }, { select: ['seq', 'value'] }).toArray(),
  )
  await ask('notes that are not there', () => read.scan({ site: '\u{1f600}', note: null }).count())
  await ask('a row, and one that is not there', () => read.getMany([first, { ...first, seq: 7_000 }, second]))
  await ask('partitions', () =>
    account
      .scan({ customer: { in: ['ann', 'bob'] }, closed: { gte: new Date('2026-01-03') } })
      .toArray()
      .then(withoutVersions),
  )
  await ask('accounts that are open', () => account.scan({ customer: 'ann\0', closed: null }).toArray().then(withoutVersions))

  await ask('update', () => read.update(first, { note: 'changed', total: null }).then(() => read.get(first)))
  await ask('put replaces', () => read.put({ ...second, price: null }).then(() => read.get(second)))
  await ask('delete', () => read.delete(second).then(() => read.exists(second)))
  await ask('expired', () => read.put({ ...second, note: 'old' }, { expires: new Date(0) }).then(() => read.get(second)))
  await ask('insert where a row has expired', () => read.insert({ ...second, note: 'new' }).then(() => read.get(second)))
  await ask('modify', () =>
    account
      .modify(closed, ({ balance }) => ({ balance: (balance ?? 0n) + 1n }))
      .then(() => account.get(closed))
      .then((row) => withoutVersions([row])),
  )

  await ask('insert where a row is', () => read.insert(first))
  await ask('update of a row that is gone', () => account.update({ ...closed, customer: 'eve' }, { active: false }))
  await ask('a version that has passed', () => account.update(closed, { active: false }, { if: { rev: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } }))
  await ask('a scan of everything by mistake', () => read.scan({ value: 1 }).toArray())
  await ask('a partition that is not named', () => account.scan({ closed: null }).toArray())
  await ask('a value that does not fit', () => read.put({ ...first, price: '0.00001' }))
  await ask('a key that is too long', () => read.get({ ...first, site: 'x'.repeat(2_000) }))

  const page = await read.scan({ site: 'a', sensor: 0 }).page({ size: 5 })
  const cursor = page.cursor ?? ''
  await ask('the page behind a cursor of another store', () =>
    read
      .scan({ site: 'a', sensor: 0 })
      .page({ size: 5, cursor: foreign ?? cursor })
      .then(({ rows }) => rows),
  )
  await ask('the cursor itself', () => Promise.resolve(cursor))
  await ask('delete by range', () => read.scan({ site: 'a', at: { lt: new Date('2026-01-20') } }).deleteAll())
  await ask('every row that is left', async () => {
    const left: number[] = []
    for await (const { seq } of read.readAll({ select: ['seq'] })) left.push(seq)
    return left.sort((a, b) => a - b)
  })
  return { answers, cursor }
}

/** What was refused, with all that it says; versions are new each time. */
function refusal(error: unknown): unknown {
  if (!isRowkeyError(error)) throw error
  return { code: error.code, message: error.message.replace(/[0-9A-HJKMNP-TV-Z]{26}/g, '<version>') }
}

const withoutVersions = (rows: readonly (object | undefined)[]): unknown => rows.map((row) => ({ ...row, rev: undefined }))
