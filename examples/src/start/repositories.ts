import type { Repository } from 'rowkey'
import type { EventRow, TimelineRow } from './fine-models.js'

export type EventRows = Repository<EventRow>
export type TimelineRows = Repository<TimelineRow>
