import { text } from '#codec'
import { Bucket, Check, Column, KuduHash, HashPrefix, KeyColumn, PartitionKey, schemaOf, Table, Ttl, Version } from '#model'
import { expect, test } from 'vitest'
import { refusalOf } from '../../../../../test/kit/refusal.js'

// Compilers that check no types run what the types refuse. In both modes, such a decorator would declare nothing.

type FieldDecorator = ReturnType<typeof Version>
type ClassDecorator = ReturnType<typeof Ttl>

test.each(Object.entries({ Column, KeyColumn, PartitionKey, Version, Check }))(
  'a field with @%s without parentheses is refused',
  async (name, made) => {
    const Bare = made as unknown as FieldDecorator
    const { code, message, details } = await refusalOf(() => {
      @Table('x')
      class X {
        @KeyColumn(1, text()) id!: string
        @Bare note!: string
      }
      return schemaOf(X)
    })
    expect([code, details['problems']]).toMatchObject(['INVALID_SCHEMA', [{ code: 'NOT_CALLED', column: 'note' }]])
    expect(message).toContain(`'note' is decorated with @${name} without parentheses, which would declare nothing. Write @${name}(`)
  },
)

test.each(Object.entries({ Table, Ttl, Bucket, HashPrefix, KuduHash }))(
  'a class with @%s without parentheses is refused',
  async (name, made) => {
    const Bare = made as unknown as ClassDecorator
    const { code, message } = await refusalOf(() => {
      @Bare
      class X {
        @KeyColumn(1, text()) id!: string
      }
      return X
    })
    expect(code).toBe('INVALID_SCHEMA')
    expect(message).toContain(
      `- NOT_CALLED: it is decorated with @${name} without parentheses, which would declare nothing. Write @${name}(`,
    )
  },
)

test('what is only a wrong argument is reported as that', async () => {
  const untyped = KeyColumn as unknown as (...given: unknown[]) => FieldDecorator
  const { details } = await refusalOf(() => {
    @Table('x')
    class X {
      @untyped(1, 'text') id!: string
    }
    return schemaOf(X)
  })
  expect(details['problems']).toMatchObject([{ code: 'INVALID_TYPE', column: 'id' }])
})
