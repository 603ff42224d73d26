import type { OnApplicationShutdown } from '@nestjs/common'
import { createMapper, schemaOf, type Mapper, type Model } from 'rowkey'
import type { RowkeyOptions } from './options.js'

/** @internal One store of an application, from its start to its shutdown. */
export class RowkeyConnection implements OnApplicationShutdown {
  readonly mapper: Mapper
  private readonly options: RowkeyOptions
  private readonly ensured = new WeakMap<Model, Promise<void>>()
  private someModel: Model | undefined

  constructor(options: RowkeyOptions) {
    this.options = options
    this.mapper = createMapper(options.adapter, options.mapper)
  }

  /** A model of this store: its table is there, if the application creates tables. */
  async use(model: Model): Promise<void> {
    this.someModel ??= model
    if (this.options.ensureTables !== true) return
    // Several modules may list a model.
    const ensuring = this.ensured.get(model) ?? this.mapper.ensureTables([model])
    this.ensured.set(model, ensuring)
    await ensuring
  }

  /** Asks the store for the catalog of a table: one round trip, and no rows. */
  async ping(): Promise<void> {
    const name = this.someModel === undefined ? 'rowkey_health' : this.nameOf(this.someModel)
    await this.options.adapter.describeTable(name)
  }

  async onApplicationShutdown(): Promise<void> {
    try {
      await this.mapper.close()
    } finally {
      await this.options.close?.()
    }
  }

  private nameOf(model: Model): string {
    return `${this.options.mapper?.prefix ?? ''}${schemaOf(model).name}`
  }
}
