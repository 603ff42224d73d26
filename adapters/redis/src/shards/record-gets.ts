// Tested by write-queue.test.ts.
import { atEndOfTick, type Argument, type Commands } from '../client/commands.js'
import { tableMissing } from '../errors.js'
import { valuesOf } from './replies.js'

/** Max fields of one command, so that it does not block the server for long. */
const maxFields = 1000

/** Records in the order of the rowkeys, null if there is none. */
type Records = readonly (Buffer | null)[]

interface Asked {
  readonly from: number
  readonly count: number
  readonly resolve: (records: Records) => void
  readonly reject: (error: unknown) => void
}

/** Gets from one shard. Those of one tick share one command. */
export class RecordGets {
  private readonly commands: Commands
  private readonly key: string
  private readonly id: string
  private readonly table: string
  private fields: Buffer[] = []
  private asked: Asked[] = []

  constructor(commands: Commands, key: string, id: string, table: string) {
    this.commands = commands
    this.key = key
    this.id = id
    this.table = table
  }

  /** The records of these rowkeys. @throws CommandError; RowkeyError `TABLE_NOT_FOUND`, `ADAPTER_FAULT` */
  get(rowkeys: readonly Buffer[]): Promise<Records> {
    if (this.asked.length === 0) atEndOfTick(this.flush)
    const from = this.fields.length
    for (const rowkey of rowkeys) this.fields.push(rowkey)
    return new Promise((resolve, reject) => this.asked.push({ from, count: rowkeys.length, resolve, reject }))
  }

  private readonly flush = (): void => {
    const { fields, asked } = this
    this.fields = []
    this.asked = []
    const fail = (error: unknown): void => {
      for (const { reject } of asked) reject(error)
    }
    try {
      this.read(fields).then((records) => {
        for (const { from, count, resolve } of asked) resolve(asked.length === 1 ? records : records.slice(from, from + count))
      }, fail)
    } catch (error) {
      fail(error) // at the end of a tick nobody else catches it
    }
  }

  private read(fields: readonly Buffer[]): Promise<Records> {
    if (fields.length <= maxFields) return this.readSome(fields)
    const portions = []
    for (let at = 0; at < fields.length; at += maxFields) portions.push(this.readSome(fields.slice(at, at + maxFields)))
    return Promise.all(portions).then((records) => records.flat())
  }

  /** The empty field contains the id of the table, so the same reply shows whose hash it is. */
  private readSome(fields: readonly Argument[]): Promise<Records> {
    return this.commands.hashFields(this.key, ['', ...fields]).then((reply) => {
      const values = valuesOf(this.table, reply, fields.length + 1)
      if (values[0]?.toString() !== this.id) throw tableMissing(this.table)
      return values.slice(1)
    })
  }
}
