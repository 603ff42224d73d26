import * as classValidator from 'class-validator'
import { Module, ValidationPipe, type DynamicModule } from '@nestjs/common'
import { APP_FILTER, APP_PIPE } from '@nestjs/core'
import { RowkeyExceptionFilter, RowkeyModule } from '@rowkey/nestjs'
import { OrdersController } from './orders-controller.js'
import { OrdersService } from './orders-service.js'
import { Order } from './order.js'
import { openStore } from './open-store.js'

/** The service. `redisUrl`: its store, in memory without one. `cursorSecret` signs cursors, so that nobody makes one up. */
@Module({})
export class AppModule {
  static with(redisUrl: string | undefined, cursorSecret: string): DynamicModule {
    return {
      module: AppModule,
      imports: [
        RowkeyModule.forRootAsync({
          useFactory: async () => ({
            ...(await openStore(redisUrl)),
            ensureTables: true,
            // A request is answered in time, whether the store is or not.
            mapper: { prefix: 'shop_', cursorSecret, classValidator, timeout: '2s' },
          }),
        }),
        RowkeyModule.forFeature([Order]),
      ],
      controllers: [OrdersController],
      providers: [
        OrdersService,
        { provide: APP_FILTER, useClass: RowkeyExceptionFilter },
        // Bodies become instances of their class, and what the class does not have is refused.
        { provide: APP_PIPE, useValue: new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }) },
      ],
    }
  }
}
