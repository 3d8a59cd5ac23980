import type { Passage, PassingRequest } from '../emulators/wire-proxy.ts'

/**
 * A chain of invocations, as the trace header carries it from a function to the messages that it sends, and from these to the function
 * that they invoke: how often each function was invoked in it so far. Lambda's header has a hash in place of a function's name.
 */
export type Lineage = ReadonlyMap<string, number>

const traceRoot = 'Root=1-00000000-000000000000000000000000'
/** Where a message's trace header travels: emulators drop `AWSTraceHeader` of its system attributes. */
const traceAttribute = 'AWSTraceHeader'

/** The chain of a trace header, empty where there is none. @throws at a lineage that is not one */
export function readLineage(header: string | undefined): Lineage {
  const [, text] = /(?:^|;)Lineage=([^;]*)/.exec(header ?? '') ?? []
  const pairs = (text ?? '').split('|').filter((pair) => pair !== '')
  return new Map(
    pairs.map((pair) => {
      const [name = '', count] = pair.split(':')
      const invocations = Number(count)
      if (!Number.isInteger(invocations)) throw new Error(`"${pair}" is no part of a lineage.`)
      return [name, invocations]
    }),
  )
}

/** The trace header of an invocation, which the SDK sends along with each request that it makes. */
export function writeLineage(lineage: Lineage): string {
  const pairs = Array.from(lineage, ([name, invocations]) => `${name}:${invocations}`)
  return `${traceRoot};Sampled=0;Lineage=${pairs.join('|')}`
}

/** The chain of an invocation by several messages: the longest of each function, and this invocation. */
export function continueLineage(before: readonly Lineage[], name: string): Lineage {
  const longest = new Map<string, number>()
  for (const [other, invocations] of before.flatMap((lineage) => [...lineage]))
    longest.set(other, Math.max(invocations, longest.get(other) ?? 0))
  return longest.set(name, (longest.get(name) ?? 0) + 1)
}

/** The trace header of a message that was taken. */
export function traceOfMessage(message: {
  MessageAttributes?: Record<string, { StringValue?: string | undefined }> | undefined
}): string | undefined {
  return message.MessageAttributes?.[traceAttribute]?.StringValue
}

/** What SQS does with a sending that has a trace header: each of its messages gets it. */
export function traceMessages({ body, headers }: PassingRequest): Passage {
  const trace = headers['x-amzn-trace-id']
  if (typeof trace !== 'string' || headers['x-amz-target'] !== 'AmazonSQS.SendMessageBatch') return 'pass'
  const { Entries, ...rest } = JSON.parse(body.toString()) as {
    Entries: { MessageAttributes?: Record<string, object> }[]
  }
  const traced = Entries.map((entry) => ({
    ...entry,
    MessageAttributes: {
      ...entry.MessageAttributes,
      [traceAttribute]: { DataType: 'String', StringValue: trace },
    },
  }))
  return { body: JSON.stringify({ ...rest, Entries: traced }) }
}
