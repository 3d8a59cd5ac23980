import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs'
import { EspalierError } from '../../contracts/errors.ts'
import { jitteredPause } from './jittered-pause.ts'

const maxBatch = { messages: 10, bytes: 1024 * 1024 }

const maxTries = 6

export interface SqsEntry extends Omit<SendMessageBatchRequestEntry, 'Id'> {
  bytes: number
}

/**
 * Sends messages in as few calls as their number and size allow. It retries those that SQS could not take.
 * @throws EspalierError `storage_failed`: some were refused, or could not be taken even after several tries
 */
export async function sendBatches(client: SQSClient, url: string, entries: SqsEntry[]): Promise<void> {
  let left = entries
  for (let tries = 1; left.length > 0; tries += 1) {
    if (tries > 1) await jitteredPause(tries - 1)
    const results = await Promise.all(inBatches(left).map((batch) => sendBatch(client, url, batch)))
    const failed = results.flat()
    const final = failed.find(({ isOurFault }) => isOurFault) ?? (tries === maxTries ? failed[0] : undefined)
    if (final !== undefined) {
      throw new EspalierError(
        'storage_failed',
        `Could not send ${failed.length} of ${entries.length} messages to the queue ${url} after ${tries} ${tries === 1 ? 'try' : 'tries'} (${final.why}). ${final.isOurFault ? 'Look at the queue’s settings.' : 'Try again later; the others were sent.'}`,
      )
    }
    left = failed.map(({ entry }) => entry)
  }
}

interface Failed {
  entry: SqsEntry
  isOurFault: boolean
  why: string
}

async function sendBatch(client: SQSClient, url: string, batch: SqsEntry[]): Promise<Failed[]> {
  const Entries = batch.map(({ bytes: _, ...entry }, index) => ({ ...entry, Id: String(index) }))
  const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }))
  return Failed.flatMap(({ Id, Code, Message, SenderFault }) => {
    const entry = batch[Number(Id)]
    if (entry === undefined) return []
    return [{ entry, isOurFault: SenderFault === true, why: [Code, Message].filter(Boolean).join(': ') }]
  })
}

export function inBatches(entries: SqsEntry[]): SqsEntry[][] {
  const batches: SqsEntry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const last = batches.at(-1)
    const fits = last && last.length < maxBatch.messages && bytes + entry.bytes <= maxBatch.bytes
    if (fits) last.push(entry)
    else batches.push([entry])
    bytes = fits ? bytes + entry.bytes : entry.bytes
  }
  return batches
}
