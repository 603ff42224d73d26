// Tested by scans.test.ts and conditions.test.ts.
import type { AttributeValue, QueryCommandInput } from '@aws-sdk/client-dynamodb'
import { typeFacts, type Condition, type Conditions, type Endpoint, type Storage, type TableSchema, type Value } from 'rowkey/adapter'
import { and, maxExpressionBytes, maxIn } from './client/expression.js'
import { valueCodec } from './values.js'

/** Max operators and functions of a filter, far below those that the service accepts. */
const maxTests = 100
/** Max bytes of all operands. Every page sends them again. The server would take 2 MB. */
const maxOperandBytes = 16_384

/** The part of a request that filters; undefined if no condition can be sent. */
export type Filter = Required<Pick<QueryCommandInput, 'FilterExpression' | 'ExpressionAttributeNames'>> & {
  readonly ExpressionAttributeValues: Record<string, AttributeValue>
}

/**
 * The conditions that the server can check, as an expression. What it compares differently, what is too long, and conditions on key columns
 * are left out, because keys are not attributes by column. The core checks all of them again.
 */
export function filterOf(schema: TableSchema, filter: Conditions = []): Filter | undefined {
  const parts: string[] = []
  const names: Record<string, string> = {}
  const values: Record<string, AttributeValue> = {}
  let [length, operators, bytes] = [0, 0, 0]
  for (const condition of filter) {
    const column = schema.columns[condition.column]
    const test = column === undefined || condition.column < schema.keyLength ? undefined : new Expression(column, condition, parts.length)
    if (test?.text === undefined) continue
    if (length + test.text.length + and.length > maxExpressionBytes || operators + test.operators + 1 > maxTests) continue
    if (bytes + test.bytes > maxOperandBytes) continue
    length += test.text.length + and.length
    operators += test.operators + 1
    bytes += test.bytes
    parts.push(test.text)
    names[test.name] = column?.physical as string
    Object.assign(values, test.values)
  }
  if (parts.length === 0) return undefined
  return { FilterExpression: parts.join(and), ExpressionAttributeNames: names, ExpressionAttributeValues: values }
}

/** The expression of one condition. */
class Expression {
  readonly name: string
  readonly values: Record<string, AttributeValue> = {}
  /** undefined if the server cannot check the condition. */
  readonly text: string | undefined
  operators = 0
  bytes = 0
  private readonly number: number
  private readonly storage: Storage
  private readonly toAttribute: (value: Value) => AttributeValue

  constructor({ type }: TableSchema['columns'][number], condition: Condition, number: number) {
    const { storage, storedOrder } = typeFacts(type)
    this.number = number
    this.name = `#f${number}`
    this.storage = storage
    this.toAttribute = valueCodec({ type }).toAttribute
    const test = this.testOf(condition, storedOrder)
    // An item without a required attribute is damaged, which only the reader of the row reports.
    this.text = test === undefined || type.nullable ? test : this.or(`attribute_not_exists(${this.name})`, test)
  }

  private testOf(condition: Condition, storedOrder: boolean): string | undefined {
    if ('isNull' in condition) return this.counted(`attribute_${condition.isNull ? 'not_exists' : 'exists'}(${this.name})`)
    if (this.storage.class === 'json') return undefined
    const test = 'in' in condition ? this.oneOf(condition.in) : storedOrder ? this.between(condition.low, condition.high) : undefined
    // Some floats are bytes, which do not compare with numbers. All of them are sent.
    if (test === undefined || this.storage.class !== 'float') return test
    return this.or(this.counted(`attribute_type(${this.name}, ${this.valueOf({ S: 'B' })})`), test)
  }

  private oneOf(values: readonly Value[]): string | undefined {
    const operands = values.map((value) => this.operand(value))
    const [first] = operands
    if (first === undefined || operands.length > maxIn || operands.includes(undefined)) return undefined
    this.operators += operands.length
    if (operands.length === 1) return `${this.name} = ${first}`
    // Compatible servers do not find false by IN.
    if (this.storage.class === 'boolean') return this.counted(`(${operands.map((operand) => `${this.name} = ${operand}`).join(' OR ')})`)
    return `${this.name} IN (${operands.join()})`
  }

  private between(low: Endpoint | undefined, high: Endpoint | undefined): string | undefined {
    const from = this.end(low)
    const to = this.end(high)
    const ends = [
      ...(from === undefined ? [] : [this.counted(`${this.name} ${low?.inclusive === true ? '>=' : '>'} ${from}`)]),
      ...(to === undefined ? [] : [this.counted(`${this.name} ${high?.inclusive === true ? '<=' : '<'} ${to}`)]),
    ]
    return ends.length === 0 ? undefined : ends.length === 1 ? ends[0] : this.counted(ends.join(and))
  }

  /** Compatible servers compare text by UTF-16 units. That is the order of code points as long as no unit is a surrogate or above. */
  private end(end: Endpoint | undefined): string | undefined {
    return end === undefined || (typeof end.value === 'string' && /[\ud800-\uffff]/.test(end.value)) ? undefined : this.operand(end.value)
  }

  /** The placeholder of an operand; undefined if servers refuse it, because it is empty, or compare it differently: floats as bytes. */
  private operand(value: Value): string | undefined {
    const attribute = this.toAttribute(value)
    const { N, S, B, BOOL } = attribute
    if (this.storage.class === 'float' && N === undefined) return undefined
    const size = BOOL === undefined ? (N ?? S ?? B)?.length : 1
    if (size === undefined || size === 0) return undefined
    this.bytes += size
    return this.valueOf(attribute)
  }

  private valueOf(attribute: AttributeValue): string {
    const placeholder = `:f${this.number}_${Object.keys(this.values).length}`
    this.values[placeholder] = attribute
    return placeholder
  }

  private or(a: string, b: string): string {
    this.operators += 2
    return `(${a} OR ${b})`
  }

  private counted(test: string): string {
    this.operators++
    return test
  }
}
