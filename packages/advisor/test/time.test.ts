import {
  bucket,
  date,
  decimal,
  desc,
  fixedBytes,
  float32,
  float64,
  int32,
  int64,
  nullable,
  reversed,
  text,
  timestamp,
  uint16,
  uint32,
  uint64,
  uuid,
} from 'rowkey'
import { expect, test } from 'vitest'
import { advise, applyFix, type AdviceOptions } from '../src/index.js'
import { snake, timeOf } from '../src/subject/time.js'
import { found, table, type Definition } from './judging.js'
import { cassandra, hbase, kudu } from './cases.js'

type Type = Definition['columns'][string]
const time = (name: string, type: Type): ReturnType<typeof timeOf> => {
  const [column] = table({ [name]: type, id: uuid() }, [name, 'id']).columns
  return column === undefined ? undefined : timeOf(column)
}
const busy: AdviceOptions = { writes: [{ table: 'rows', perSecond: { inserts: 9000 } }], ...hbase }

const times =
  'ts time timestamp created_at createdAt epoch event_time eventTime timestamp_ms tsMillis epochSeconds created updated_on datetime time_us unix_ms ' +
  'last_seen gmt_create createtime updatedat eventts log_ts EVENT_TS event.time expires_at start_time unixtime timestampms time_stamp at ' +
  'create_date createDate created_date createdate event_date event_dt eventDt insert_dt date dt mtime sys_time when_ms update_time ts_ms event_ts tsUs ' +
  'due_date expiry_date start_date last_date access_time'
test.each(times.split(' '))('a number called %s is a time, in every rule that asks', (name) => {
  for (const type of [int64(), uint64(), uint32(), desc(int64()), nullable(int64()), float64(), decimal(13, 0)]) {
    expect(time(name, type)).toMatchObject({ by: 'name' })
  }
  const Rows = table({ [name]: int64(), id: text() }, [name, 'id'])
  const first = found(Rows, 'monotonic-first', busy)
  expect(first?.evidence).toMatch(/^a number, by its name a time.*; all 9,000 new rows a second go to 1 place$/)
  expect(found(applyFix(Rows, first as never), 'monotonic-first', busy)).toBeUndefined()
  expect(found(table({ kind: text(), [name]: uint32() }, ['kind', name]), 'low-cardinality-first')?.severity).toBe('warning')
  expect(found(table({ kind: text(), [name]: uint32() }, ['kind', name]), 'equal-keys')?.column).toBe(name)
})

const others =
  'timezone time_zone times runtime runtime_count time_spent timeout uptime lifetime hash_ts ts_hash salted_time md5_created_at ts_bucket response_time ' +
  'responseTimeMs elapsed_time cpu_time lead_time lat chat format bytes_received status seats flat_rate ms seconds count realtime daytime sentiment ' +
  'parts tests hosts events_at_risk epochs stamp first_name timestamps service_time wall_time flight_time ping_time training_epoch leader_epoch ' +
  'sometimes downtime halftime playtime birthdate birth_date birthDate birthday date_of_birth update_count candidate validate dtype'
test.each(others.split(' '))('a number or a text called %s is no time', (name) => {
  expect(time(name, int64())).toBeUndefined()
  expect(time(name, text())).toBeUndefined()
  expect(advise([table({ [name]: int64(), id: text() }, [name, 'id'])], busy).findings.map(({ code }) => code)).not.toContain(
    'monotonic-first',
  )
})

test('a number that cannot hold the seconds of today is no time, nor one whose bytes are reversed, nor an id', () => {
  for (const type of [uint16(), float32(), decimal(9, 0), reversed(int64()), uuid()]) expect(time('ts', type)).toBeUndefined()
  expect(time('ts', int32())).toMatchObject({ unit: 's' })
})

test('a date in 32 bits is not told as seconds: it may count days, or be 20260101', () => {
  expect(time('event_date', int32())).toMatchObject({ by: 'name', unit: undefined })
  expect(time('date_ms', int64())).toMatchObject({ by: 'name', unit: 'ms' })
})

test('a type says more than a name; a name may have the unit', () => {
  expect(time('runtime', timestamp('us'))).toEqual({ unit: 'us', by: 'type', because: 'a time in us' })
  expect(time('x', date())).toMatchObject({ unit: 'days', by: 'type' })
  expect(time('ts_ms', int64())).toEqual({ unit: 'ms', by: 'name', because: 'a number, by its name a time in ms' })
  expect(time('ts', int64())).toEqual({ unit: undefined, by: 'name', because: 'a number, by its name a time' })
  expect(time('created_at', text())).toEqual({ unit: undefined, by: 'name', because: 'text, by its name a time' })
  expect(snake('createdAtMs')).toBe('created_at_ms')
})

test('the same for the bytes that HBase has of a Long', () => {
  expect(time('ts', fixedBytes(8))).toMatchObject({ by: 'name', because: 'bytes, by its name a time' })
  expect(time('ts', fixedBytes(16))).toBeUndefined()
})

test('what is said of the values beats the name: a time of 24 values is an hour', () => {
  const Rows = table({ time: uint32(), id: text() }, ['time', 'id'])
  expect(
    found(Rows, 'monotonic-first', { writes: [{ table: 'rows', perSecond: { inserts: 9000 }, distinct: { time: 24 } }] }),
  ).toBeUndefined()
})

test("the table of Kudu's own guide: its time is an int64", () => {
  const columns = { host: text(), metric: text(), time: int64(), value: float64() }
  const Metrics = table(columns, ['host', 'metric', 'time'])
  const ranges = { rows: { column: 'time', bounds: [['0', '1000']] as const } }
  expect(found(Metrics, 'kudu-time', { ...kudu, kudu: { ranges } })?.evidence).toBe('1 tablet of 1 takes all writes of a moment')
  expect(found(table(columns, ['time', 'host', 'metric']), 'monotonic-first', kudu)?.column).toBe('time')
})

test('a modulo of ms in a number: a warning if the name says ms, otherwise an info, and nothing for seconds', () => {
  const of = (name: string, type: Type = int64()): string | undefined =>
    found(table({ [name]: type, id: text() }, [name, 'id'], { salt: bucket({ of: name, modulo: 16 }) }), 'modulo-seconds')?.severity
  expect([of('ts_ms'), of('ts'), of('ts_seconds'), of('ts', uint32()), of('number')]).toEqual([
    'warning',
    'info',
    undefined,
    undefined,
    undefined,
  ])
})

test('good designs with such a time stay without alarms', () => {
  const designs = [
    table({ host: text(), ts: int64() }, ['host', 'ts']),
    table({ hash: uint32(), ts: int64(), id: text() }, ['hash', 'ts', 'id']),
    table({ device: uuid(), created_at: desc(int64()) }, ['device', 'created_at']),
  ]
  for (const design of designs)
    expect(advise([design], busy).findings.filter(({ severity, code }) => severity !== 'info' && code !== 'one-region')).toEqual([])
  const ByDevice = table({ device: uuid(), ts: uint64() }, ['ts'], { partition: ['device'], writes: 'plain' })
  expect(advise([ByDevice], cassandra).findings.filter(({ severity }) => severity !== 'info')).toEqual([])
})
