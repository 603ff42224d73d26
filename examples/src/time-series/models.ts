import { Column, defineTable, desc, float64, KeyColumn, PartitionKey, period, RowKey, Table, text, timestamp, uint8, uint16 } from 'rowkey'

/** The readings of one station and week are a partition, newest first. */
@Table('readings')
export class Reading {
  declare [RowKey]?: { partition: ['station', 'week']; key: ['at']; period: { week: 'at' }; value: 'celsius' | 'humidity' | 'kmh' }

  @PartitionKey(1, text()) station!: string
  @PartitionKey(2, period('week', { of: 'at' })) readonly week!: Date
  @KeyColumn(3, desc(timestamp('ms'))) at!: Date
  @Column(float64()) celsius!: number
  @Column(uint8()) humidity!: number
  @Column(uint16()) kmh!: number
}

/** One row for each station. */
export const Latest = defineTable('latest_readings', {
  columns: { station: text(), at: timestamp('ms'), celsius: float64() },
  partition: ['station'],
  key: [],
})
