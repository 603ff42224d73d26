import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type BatchWriteItemCommandInput,
  type DeleteItemCommandInput,
  type PutItemCommandInput,
  type TransactWriteItemsCommandInput,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import { isOpen, OpenOutcome } from './outcome-of-error.js'
import { unlog, type Stack } from './unlogged.js'

/**
 * Clients repeat what failed. A write that was applied, and whose answer was lost, would then fail by its own condition, or undo what others
 * wrote in between. So an attempt whose outcome is open is the last one; the core knows which writes may be repeated.
 *
 * A transaction has a token by which the server recognises it: it is sent again, but once an outcome was open only success is believed.
 */
function guard({ middlewareStack }: { readonly middlewareStack: object }, mayResend: boolean): void {
  const open = new WeakMap<object, unknown>() // by request: a client may share one handler between calls
  ;(middlewareStack as Stack).addRelativeTo(
    (next, context) => {
      unlog(context)
      return async (args) => {
        const before = open.get(args)
        if (before !== undefined && !mayResend) throw new OpenOutcome(before)
        try {
          return await next(args)
        } catch (error) {
          if (before !== undefined) throw new OpenOutcome(before)
          if (!isOpen(error)) throw error
          open.set(args, error)
          throw mayResend ? error : new OpenOutcome(error)
        }
      }
    },
    // Right inside of the client's repeats: further inside each of them has a request of its own.
    { relation: 'after', toMiddleware: 'retryMiddleware' },
  )
}

// Classes of their own: a client that keeps handlers keeps them by class.

export class PutOnce extends PutItemCommand {
  constructor(input: PutItemCommandInput) {
    super(input)
    guard(this, false)
  }
}

export class UpdateOnce extends UpdateItemCommand {
  constructor(input: UpdateItemCommandInput) {
    super(input)
    guard(this, false)
  }
}

export class DeleteOnce extends DeleteItemCommand {
  constructor(input: DeleteItemCommandInput) {
    super(input)
    guard(this, false)
  }
}

export class BatchWriteOnce extends BatchWriteItemCommand {
  constructor(input: BatchWriteItemCommandInput) {
    super(input)
    guard(this, false)
  }
}

export class Transact extends TransactWriteItemsCommand {
  constructor(input: TransactWriteItemsCommandInput) {
    super(input)
    guard(this, true)
  }
}
