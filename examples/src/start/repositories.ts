import type { ModelClass, Repository } from 'rowkey'
import type { EventRow, TimelineRow } from './fine-models.js'

export type EventRows = Repository<ModelClass<EventRow>>
export type TimelineRows = Repository<ModelClass<TimelineRow>>
