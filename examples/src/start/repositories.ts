import type { ModelClass, Repository } from 'rowkey'
import type { LogEvent, LogTimeline } from './models.js'

export type EventRows = Repository<ModelClass<LogEvent>>
export type TimelineRows = Repository<typeof LogTimeline>
