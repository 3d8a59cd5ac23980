import { z } from 'zod'
import { EspalierError } from '../../contracts/errors.ts'
import type { IncomingMessage, OutgoingMessage, Queue } from '../../world/ports.ts'
import { isTransient } from '../episodes/episode-error.ts'
import { retryAfter } from '../episodes/episode-message.ts'

/**
 * A message of the queue `jobs`: a training or a loop to advance. `look` numbers its steps. If a kill leaves two
 * messages about one job, only one gets a successor.
 */
export const jobMessageSchema = z.union([
  z.strictObject({ training: z.string(), look: z.int().nonnegative().optional() }),
  z.strictObject({ loop: z.string(), look: z.int().nonnegative().optional() }),
])

export type JobMessage = z.infer<typeof jobMessageSchema>

export type NextJob = JobMessage & { delay: number }

export interface JobLook {
  id: string
  look: number | undefined
  isRepeated: boolean
}

export interface JobConsumerHandler {
  /**
   * Does one bounded piece of work, without long waits.
   * @returns the next steps; empty for a job that has ended or waits to be resumed
   */
  advance(job: JobLook, options: { signal: AbortSignal }): Promise<NextJob[]>
  giveUp(id: string, reason: string): Promise<void>
}

export type JobHandlers = { training?: JobConsumerHandler; loop?: JobConsumerHandler }

export const jobGivenUp = 'It was tried again and again and could not be advanced.'

export interface JobNeeds {
  queue: Queue
  handlers: JobHandlers
  onError(error: unknown): void
}

/**
 * Handles a message, and sends its successors. If it must be retried, the message returns later.
 * @returns true if the message is settled and must be deleted
 */
export async function takeJobMessage(
  { queue, handlers, onError }: JobNeeds,
  message: IncomingMessage,
  signal: AbortSignal,
): Promise<boolean> {
  const { handler, id, look } = jobOf(handlers, message)
  try {
    const next = await handler.advance({ id, look, isRepeated: message.receives > 1 }, { signal })
    // Send before deleting this message: a kill in between repeats a step, and loses none.
    if (next.length > 0) await queue.send(next.map(toJobMessage))
    return true
  } catch (error) {
    if (signal.aborted) {
      await queue.extend(message.receipt, 0)
      return false
    }
    // A message is sent before its job is stored. If the job was never stored, drop the message.
    const isUnknown = EspalierError.isInstance(error) && error.code === 'not_found'
    if (isUnknown && message.receives >= 3) return true
    if (!isUnknown) onError(error)
    const delay = isTransient(error) ? retryAfter(true, message.receives) : 2 ** message.receives
    await queue.extend(message.receipt, delay)
    return false
  }
}

export async function buryJob(
  handlers: JobHandlers,
  message: Pick<IncomingMessage, 'body'>,
): Promise<boolean> {
  const { data } = jobMessageSchema.safeParse(message.body)
  if (data === undefined) return false
  const { handler, id } = jobOf(handlers, message)
  await handler.giveUp(id, jobGivenUp)
  return true
}

export function toJobMessage({ delay, ...body }: NextJob): OutgoingMessage {
  const group = 'training' in body ? body.training : body.loop
  return { body: JSON.parse(JSON.stringify(body)), group, delay }
}

export function toSecondMessage({ body, group }: IncomingMessage): OutgoingMessage | null {
  if (body !== null || group === '') return null
  return { body: group.startsWith('training-') ? { training: group } : { loop: group }, group }
}

function jobOf(handlers: JobHandlers, { body }: Pick<IncomingMessage, 'body'>) {
  const job = jobMessageSchema.parse(body)
  const [kind, id] = 'training' in job ? (['training', job.training] as const) : (['loop', job.loop] as const)
  const handler = handlers[kind]
  if (handler === undefined) throw new Error(`Nothing here works on a ${kind}.`)
  return { handler, id, look: job.look }
}
