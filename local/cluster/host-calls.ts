import { z } from 'zod'
import { machineSchema } from '../../shared/core/contracts/machine.ts'

export const hostsPath = '/v1/workers/hosts'

export const longestPollSeconds = 10

const text = z.string().max(300)

const hostSchema = z.strictObject({
  id: text,
  image: text,
  token: text.exactOptional(),
  status: z.enum(['starting', 'running', 'stopped']),
  address: text.nullable(),
  reason: z.string().nullable(),
})

const orderAnswerSchema = z.strictObject({ id: text, status: z.int().min(100).max(599), body: z.string() })

export type OrderAnswer = z.infer<typeof orderAnswerSchema>

/** `known` are orders that the machine has received and that it has not answered before this poll. */
export const hostPollSchema = z.strictObject({
  machine: machineSchema.extend({ kind: z.literal('host') }),
  state: z.enum(['open', 'leaving', 'left']),
  hosts: z.array(hostSchema).max(1000),
  known: z.array(text).max(20_000),
  answers: z.array(orderAnswerSchema).max(20_000),
  wait: z.boolean(),
})

export type HostPoll = z.infer<typeof hostPollSchema>

export const hostOrderSchema = z.discriminatedUnion('op', [
  z.strictObject({
    ...{ op: z.literal('launch'), id: text, image: text, token: text },
    environment: z.record(z.string(), z.string()),
  }),
  z.strictObject({ op: z.literal('stop'), id: text, host: text, grace: z.number() }),
  z.strictObject({
    ...{ op: z.literal('call'), id: text, host: text, method: z.enum(['GET', 'POST', 'DELETE']) },
    ...{ path: z.string().startsWith('/'), authorization: z.string().nullable() },
    body: z.string().nullable(),
  }),
])

export type HostOrder = z.infer<typeof hostOrderSchema>

type WithoutId<Order> = Order extends HostOrder ? Omit<Order, 'id'> : never

export type NewOrder = WithoutId<HostOrder>

export const hostOrdersSchema = z.strictObject({ orders: z.array(hostOrderSchema) })
