import type { OnApplicationShutdown } from '@nestjs/common'
import { createMapper, type Mapper, type Model } from 'rowkey'
import type { RowkeyOptions } from './options.js'

/** @internal One store of an application, from its start to its shutdown. */
export class RowkeyConnection implements OnApplicationShutdown {
  /** Of the options. An application that overrides the mapper, in a test, has another one. */
  readonly mapper: Mapper
  private readonly options: RowkeyOptions
  private readonly ensured = new WeakMap<Model, Promise<void>>()
  private someModel: Model | undefined

  constructor(options: RowkeyOptions) {
    this.options = options
    this.mapper = createMapper(options.adapter, options.mapper)
  }

  /** A model that `mapper` is used for: its table is there, if the application creates tables. */
  async use(model: Model, mapper: Mapper): Promise<void> {
    this.someModel ??= model
    if (this.options.ensureTables !== true) return
    // Several modules may list a model.
    const ensuring = this.ensured.get(model) ?? mapper.ensureTables([model])
    this.ensured.set(model, ensuring)
    await ensuring
  }

  /** Asks the store of `mapper` for the catalog of a table: one round trip, and no rows. */
  async ping(mapper: Mapper): Promise<void> {
    const name = this.someModel === undefined ? 'rowkey_health' : mapper.repository(this.someModel).schema.name
    await mapper.adapter.describeTable(name)
  }

  async onApplicationShutdown(): Promise<void> {
    try {
      await this.mapper.close()
    } finally {
      await this.options.close?.()
    }
  }
}
