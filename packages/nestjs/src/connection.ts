import type { OnApplicationShutdown } from '@nestjs/common'
import { createMapper, type Mapper, type MapperOptions, type Model } from 'rowkey'
import type { RowkeyOptions } from './options.js'

/** @internal One store of an application, from its start to its shutdown. */
export class RowkeyConnection implements OnApplicationShutdown {
  /** Of the options. An application that overrides the mapper, in a test, has another one. */
  readonly mapper: Mapper
  private readonly options: RowkeyOptions
  private readonly ensured = new WeakMap<Model, Promise<void>>()
  private someModel: Model | undefined

  constructor(options: RowkeyOptions, mapper: Mapper) {
    this.options = options
    this.mapper = mapper
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

/** @internal */
export async function openConnection(options: RowkeyOptions): Promise<RowkeyConnection> {
  const { classValidator, classTransformer } = options.mapper ?? {}
  const found = classValidator === undefined || classTransformer !== undefined ? undefined : await installedTransformer()
  const mapper = found === undefined ? options.mapper : { ...options.mapper, classTransformer: found }
  return new RowkeyConnection(options, createMapper(options.adapter, mapper))
}

/** The class-transformer that a `ValidationPipe` needs, whose `@Type` then stands on nested data; undefined if none is installed. */
async function installedTransformer(): Promise<MapperOptions['classTransformer']> {
  const name = 'class-transformer' // not a dependency: bundlers and compilers must not look for it
  try {
    return (await import(name)) as MapperOptions['classTransformer']
  } catch {
    return undefined
  }
}
