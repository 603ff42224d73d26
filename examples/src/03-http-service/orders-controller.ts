import {
  Body,
  Controller,
  DefaultValuePipe,
  Get,
  Inject,
  Param,
  ParseIntPipe,
  Post,
  Query,
  ServiceUnavailableException,
} from '@nestjs/common'
import { RowkeyHealthIndicator, type HealthOf } from '@rowkey/nestjs'
import { Order } from './order.js'
import { OrdersService, type OrderPage } from './orders-service.js'

const mostOnPage = 100

@Controller()
export class OrdersController {
  constructor(
    @Inject(OrdersService) private readonly orders: OrdersService,
    @Inject(RowkeyHealthIndicator) private readonly health: RowkeyHealthIndicator,
  ) {}

  @Post('orders')
  place(@Body() order: Order): Promise<Order> {
    return this.orders.place(order)
  }

  @Get('orders/:no')
  byNumber(@Param('no') no: string): Promise<Order> {
    return this.orders.byNumber(no)
  }

  @Get('buyers/:buyer/orders')
  newest(
    @Param('buyer') buyer: string,
    @Query('limit', new DefaultValuePipe(20), ParseIntPipe) limit: number,
    @Query('cursor') cursor?: string,
  ): Promise<OrderPage> {
    return this.orders.newest(buyer, Math.max(1, Math.min(limit, mostOnPage)), cursor)
  }

  @Get('health')
  async isHealthy(): Promise<HealthOf<'orders'>> {
    const health = await this.health.isHealthy('orders')
    if (health.orders.status === 'down') throw new ServiceUnavailableException(health)
    return health
  }
}
