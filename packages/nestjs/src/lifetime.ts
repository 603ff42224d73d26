import { Scope, type OnModuleInit } from '@nestjs/common'
import type { ModuleRef } from '@nestjs/core'
import { showName } from 'rowkey/internal'
import { refusal } from './options.js'
import { connectionToken } from './tokens.js'

/**
 * @internal Refuses, when the application starts, a store that would be opened for each request because `useFactory` injects something that
 * is made for each request. NestJS tells such a store when its request ends neither to close nor to shut down.
 */
export class StoreLifetime implements OnModuleInit {
  private readonly modules: ModuleRef
  private readonly name: string

  constructor(modules: ModuleRef, name: string) {
    this.modules = modules
    this.name = name
  }

  onModuleInit(): void {
    if (this.modules.introspect(connectionToken(this.name)).scope === Scope.DEFAULT) return
    const message =
      `the useFactory of the store '${showName(this.name)}' injects a provider that is made for each request, so a store would be opened for ` +
      'each request, and none closed. Inject what lives as long as the application. For a store or a prefix per tenant, name stores with ' +
      "forRootAsync({ name }), or make tenants' mappers with createMapper() from the adapter of an injected mapper."
    throw refusal('forRootAsync()', 'inject', message)
  }
}
