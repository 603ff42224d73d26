// Tested by lifetime.test.ts.
import type { OnApplicationShutdown } from '@nestjs/common'
import { createMapper, type Mapper, type MapperOptions, type Model } from 'rowkey'
import type { RowkeyOptions } from './options.js'

interface Opened {
  readonly mapper: Mapper
  readonly options: RowkeyOptions
}

/** @internal One store of an application, from its start to its shutdown. */
export class RowkeyConnection implements OnApplicationShutdown {
  private readonly optionsOf: () => RowkeyOptions | Promise<RowkeyOptions>
  private readonly ensured = new WeakMap<Model, Promise<void>>()
  private opened: Opened | undefined
  private someModel: Model | undefined

  constructor(optionsOf: () => RowkeyOptions | Promise<RowkeyOptions>) {
    this.optionsOf = optionsOf
  }

  /** The mapper of the options. An application that overrides the mapper, in a test, never asks for it, and no store is opened. */
  async open(): Promise<Mapper> {
    const options = await this.optionsOf()
    const { classValidator, classTransformer } = options.mapper ?? {}
    const found = classValidator === undefined || classTransformer !== undefined ? undefined : await installedTransformer()
    const mapper = createMapper(options.adapter, found === undefined ? options.mapper : { ...options.mapper, classTransformer: found })
    this.opened = { mapper, options }
    return mapper
  }

  /** A model that `mapper` is used for: its table is there, if the application creates tables, or if the mapper is that of a test. */
  async use(model: Model, mapper: Mapper): Promise<void> {
    this.someModel ??= model
    const isStub = typeof (mapper as Partial<Mapper>).ensureTables !== 'function'
    if (isStub || (this.opened !== undefined && this.opened.options.ensureTables !== true)) return
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
      await this.opened?.mapper.close()
    } finally {
      await this.opened?.options.close?.()
    }
  }
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
