import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { EspalierError } from '../../contracts/errors.ts'
import { checkKey } from '../check-key.ts'
import { messageText } from '../message-text.ts'
import type { IncomingMessage, OutgoingMessage, Queue } from '../ports.ts'
import type { AwsConnections } from './aws-connections.ts'
import { type AwsCall, awsCall, nameOf } from './aws-error.ts'
import { fromSqsRecord, groupAttribute } from './from-sqs-record.ts'
import { type SqsEntry, sendBatches } from './send-batches.ts'

const limits = { messages: 10, wait: 20, visibility: 12 * 3600, delay: 900 }

const silence = 30_000

export function queuesOver(connections: AwsConnections): (options: AwsQueueOptions) => AwsQueue {
  const client = connections.lazily(
    // The queues are in the region of this process; their addresses need not match an emulator's.
    (settings) => new SQSClient({ ...settings, useQueueUrlAsEndpoint: false }),
    silence,
  )
  return (options) => new AwsQueue({ client, closing: connections.closing }, options)
}

interface Shared {
  client: () => SQSClient
  closing: AbortSignal
}

type ReceiveOptions = Parameters<Queue['receive']>[0]

export interface AwsQueueOptions {
  url: string
  dead_letters: string
  setting: string
}

/**
 * A standard queue of SQS. A message's group is its MessageGroupId, which makes the queue fair, and also travels as
 * an attribute. The visibility timeout is capped at SQS's twelve hours.
 */
export class AwsQueue implements Queue {
  readonly dead_letters: AwsQueue
  readonly #client: () => SQSClient
  readonly #closing: AbortSignal
  readonly #url: string
  readonly #setting: string

  constructor(shared: Shared, { url, dead_letters, setting }: AwsQueueOptions) {
    this.#client = shared.client
    this.#closing = shared.closing
    this.#url = url
    this.#setting = setting
    const letters = { url: dead_letters, dead_letters, setting: setting.replace('QUEUE', 'DEAD') }
    this.dead_letters = url === dead_letters ? this : new AwsQueue(shared, letters)
  }

  async send(messages: OutgoingMessage[]): Promise<void> {
    const entries = messages.map(entryOf)
    await awsCall(this.#call('send messages'), () => sendBatches(this.#client(), this.#url, entries))
  }

  async receive({ max, wait, visibility, signal }: ReceiveOptions): Promise<IncomingMessage[]> {
    this.#client()
    const deadline = performance.now() + wait * 1000
    const taken: IncomingMessage[] = []
    while (taken.length < max && !signal?.aborted && !this.#closing.aborted) {
      const asked = Math.min(limits.messages, max - taken.length)
      // Only the first message is worth waiting for.
      const left = taken.length > 0 ? 0 : Math.max(0, deadline - performance.now()) / 1000
      const messages = await this.#take(asked, Math.min(limits.wait, Math.ceil(left)), visibility, signal)
      taken.push(...messages)
      const isOver = taken.length > 0 || deadline <= performance.now()
      if (messages.length < asked && isOver) break
    }
    return taken
  }

  async delete(receipt: string): Promise<void> {
    await this.#withReceipt('delete a message', () =>
      this.#client().send(new DeleteMessageCommand({ QueueUrl: this.#url, ReceiptHandle: receipt })),
    )
  }

  async extend(receipt: string, visibility: number): Promise<void> {
    const VisibilityTimeout = hiding(visibility)
    await this.#withReceipt('hide a message for longer', () =>
      this.#client().send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: this.#url,
          ReceiptHandle: receipt,
          VisibilityTimeout,
        }),
      ),
    )
  }

  async #take(
    max: number,
    wait: number,
    visibility: number,
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.#url,
      MaxNumberOfMessages: max,
      WaitTimeSeconds: wait,
      VisibilityTimeout: hiding(visibility),
      MessageSystemAttributeNames: ['ApproximateReceiveCount', 'MessageGroupId'],
      MessageAttributeNames: [groupAttribute],
    })
    const asking = awsCall(this.#call('take messages'), () =>
      this.#client().send(command, { abortSignal: this.#closing }),
    ).then(({ Messages = [] }) => Messages.map(incoming))
    try {
      const messages = await unlessAborted(asking, signal)
      if (messages !== null) return messages
    } catch (error) {
      if (this.#closing.aborted && nameOf(error) === 'AbortError') return []
      throw error
    }
    // SQS does not notice that this receiver has stopped: return the messages it still delivers.
    this.#giveBack(asking).catch((error: unknown) => {
      if (!this.#closing.aborted) process.emitWarning(String(error))
    })
    return []
  }

  async #giveBack(asking: Promise<IncomingMessage[]>): Promise<void> {
    const messages = await asking
    await Promise.all(messages.map(({ receipt }) => this.extend(receipt, 0)))
  }

  /**
   * Ignores a receipt that names no message in flight, or another receive of it, and a message already hidden for the
   * maximum time.
   */
  async #withReceipt(doing: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await awsCall(this.#call(doing), work)
    } catch (error) {
      if (!isStale(error) && !isHiddenForLongest(error)) throw error
    }
  }

  #call(doing: string): AwsCall {
    return { doing, resource: `the queue ${this.#url}`, setting: this.#setting }
  }
}

function entryOf({ body, group, delay = 0 }: OutgoingMessage): SqsEntry {
  checkKey('the group of a message', group, 128)
  if (!/^[!-~]+$/.test(group)) {
    throw new EspalierError(
      'invalid_request',
      `${JSON.stringify(group)} cannot be the group of a message: SQS takes ASCII letters, digits and signs, without spaces.`,
    )
  }
  if (delay > limits.delay) {
    throw new EspalierError('invalid_request', `A message can be delayed by at most ${limits.delay} seconds.`)
  }
  const text = messageText(body)
  return {
    MessageBody: text,
    MessageGroupId: group,
    MessageAttributes: { [groupAttribute]: { DataType: 'String', StringValue: group } },
    ...(delay > 0 && { DelaySeconds: Math.ceil(delay) }),
    bytes: Buffer.byteLength(text) + groupAttribute.length + 'String'.length + group.length,
  }
}

function incoming({
  MessageId,
  Body,
  ReceiptHandle,
  Attributes,
  MessageAttributes,
}: Message): IncomingMessage {
  return fromSqsRecord({
    messageId: MessageId ?? '',
    receiptHandle: ReceiptHandle ?? '',
    body: Body ?? '',
    attributes: {
      ApproximateReceiveCount: Attributes?.ApproximateReceiveCount ?? '1',
      MessageGroupId: Attributes?.MessageGroupId,
    },
    messageAttributes: {
      [groupAttribute]: { stringValue: MessageAttributes?.[groupAttribute]?.StringValue },
    },
  })
}

function hiding(seconds: number): number {
  return Math.max(0, Math.min(limits.visibility, Math.ceil(seconds)))
}

function isStale(error: unknown): boolean {
  const name = nameOf(error)
  if (/^(ReceiptHandleIsInvalid|MessageNotInflight)/.test(name)) return true
  return (
    /^InvalidParameterValue/.test(name) && error instanceof Error && /receipt ?handle/i.test(error.message)
  )
}

/**
 * True if a message cannot stay hidden beyond the twelve hours since it was taken: then it returns, as unfinished
 * ones do.
 */
function isHiddenForLongest(error: unknown): boolean {
  return (
    /^InvalidParameterValue/.test(nameOf(error)) &&
    error instanceof Error &&
    /total visibilitytimeout .*beyond the limit/i.test(error.message)
  )
}

async function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | null> {
  if (signal === undefined) return promise
  if (signal.aborted) return null
  const aborted = Promise.withResolvers<null>()
  const abort = () => aborted.resolve(null)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
