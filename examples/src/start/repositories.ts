import type { Class, Repository } from 'rowkey'
import type { LogEvent, LogTimeline } from './models.js'

export type EventRows = Repository<Class<LogEvent>>
export type TimelineRows = Repository<typeof LogTimeline>
