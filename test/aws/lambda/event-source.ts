import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import type { LambdaPool } from './lambda-pool.ts'
import { readLineage, traceOfMessage } from './lineage.ts'
import type { LoopDetection } from './loop-detection.ts'
import type { StageMeters } from './stage-meters.ts'

export interface EventSourceOptions {
  client: SQSClient
  url: string
  /** Where messages go that Lambda takes for those of a loop; without it they are gone. */
  deadLetters?: string
  loops: LoopDetection
  pool: LambdaPool
  name: string
  batchSize: number
  /** Invocations at once, as a mapping's `maxConcurrency`: there is no use in taking what would only wait for one. */
  concurrency: number
  /** Seconds that a batch is invisible. */
  visibility: number
  /** Asked for each batch: whether the function is invoked twice with it, at once. */
  isTwice: () => boolean
  signal: AbortSignal
  /** Counts what the mapping asks of the queue, which is billed as any other request. */
  meters: StageMeters
}

/**
 * An event source mapping with partial batch responses: polls the queue, invokes the function, and deletes what it did not
 * report as failed. Several batches are under way at once.
 */
export async function pollEventSource(options: EventSourceOptions): Promise<void> {
  const { client, url, batchSize, concurrency, visibility, signal, meters } = options
  const batches = new Set<Promise<void>>()
  while (!signal.aborted) {
    if (batches.size >= concurrency) {
      await Promise.race(batches)
      continue
    }
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: batchSize,
        WaitTimeSeconds: 1,
        VisibilityTimeout: visibility,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    )
    if (Messages.length === 0) {
      meters.add('NumberOfEmptyReceives sqs', 1)
      continue
    }
    meters.add('NumberOfMessagesReceived sqs', Messages.length)
    const batch = stopLoops(options, Messages)
      .then((messages) => deliver(options, messages))
      .finally(() => batches.delete(batch))
    batches.add(batch)
  }
  await Promise.all(batches)
}

/** Takes out what Lambda would not invoke the function with. @returns the other messages */
async function stopLoops(options: EventSourceOptions, messages: Message[]): Promise<Message[]> {
  const { client, url, deadLetters, loops, name } = options
  const parts = Object.groupBy(messages, (message) =>
    loops.mayInvoke(name, readLineage(traceOfMessage(message))) ? 'passed' : 'dropped',
  )
  for (const { Attributes, Body, MessageAttributes, ReceiptHandle } of parts.dropped ?? []) {
    if (deadLetters !== undefined)
      await client.send(
        new SendMessageCommand({
          QueueUrl: deadLetters,
          MessageBody: Body,
          MessageAttributes,
          MessageGroupId: Attributes?.MessageGroupId,
        }),
      )
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }))
  }
  return parts.passed ?? []
}

async function deliver(options: EventSourceOptions, messages: Message[]): Promise<void> {
  if (messages.length === 0) return
  const { client, url, pool, name, isTwice, meters } = options
  const chains = messages.map((message) => readLineage(traceOfMessage(message)))
  const event = toEvent(url, messages)
  const copies = isTwice() ? 2 : 1
  const answers = await Promise.allSettled(
    Array.from({ length: copies }, () => pool.invoke(name, event, chains) as Promise<SQSBatchResponse>),
  )
  const [answer] = answers
  // A function that failed whole, or died, has dealt with nothing.
  if (answer?.status !== 'fulfilled') return
  const failed = new Set(answer.value.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
  for (const { MessageId, ReceiptHandle } of messages) {
    if (failed.has(MessageId ?? '')) continue
    await client.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }))
    meters.add('NumberOfMessagesDeleted sqs', 1)
  }
}

function toEvent(url: string, messages: Message[]): SQSEvent {
  return {
    Records: messages.map((message) => ({
      messageId: message.MessageId ?? '',
      receiptHandle: message.ReceiptHandle ?? '',
      body: message.Body ?? '',
      attributes: message.Attributes as never,
      messageAttributes: Object.fromEntries(
        Object.entries(message.MessageAttributes ?? {}).map(([attribute, { StringValue, DataType }]) => [
          attribute,
          { stringValue: StringValue ?? '', dataType: DataType ?? 'String' },
        ]),
      ),
      md5OfBody: message.MD5OfBody ?? '',
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:us-east-1:123456789012:${url.split('/').at(-1)}`,
      awsRegion: 'us-east-1',
    })),
  }
}
