import { z } from 'zod'
import { type Json, jsonSchema } from './json.ts'
import {
  createSessionSchema,
  forkSessionSchema,
  holdSessionSchema,
  restoreSessionSchema,
  sessionIdSchema,
  stepSessionSchema,
} from './session.ts'

const hostSchema = z.string().regex(/^[\w:/.-]{1,256}$/)

/**
 * One call of the host protocol to one host. Calls are named, not addressed: the registry holds the host's address,
 * and the operation determines the path, so that no caller can send data to any other address.
 * @example
 * { operation: 'step', host: 'host_1', session: 'slot-7', body: { action: 'look', step_index: 0, token: 3 } }
 */
export const hostCallSchema = z.discriminatedUnion('operation', [
  z.strictObject({ operation: z.literal('health'), host: hostSchema }),
  z.strictObject({ operation: z.literal('create'), host: hostSchema, body: createSessionSchema }),
  z.strictObject({
    operation: z.literal('step'),
    host: hostSchema,
    session: sessionIdSchema,
    body: stepSessionSchema,
  }),
  z.strictObject({
    operation: z.literal('snapshot'),
    host: hostSchema,
    session: sessionIdSchema,
    body: holdSessionSchema,
  }),
  z.strictObject({
    operation: z.literal('actions'),
    host: hostSchema,
    session: sessionIdSchema,
    body: holdSessionSchema,
  }),
  z.strictObject({
    operation: z.literal('restore'),
    host: hostSchema,
    session: sessionIdSchema,
    body: restoreSessionSchema,
  }),
  z.strictObject({
    operation: z.literal('fork'),
    host: hostSchema,
    session: sessionIdSchema,
    body: forkSessionSchema,
  }),
  z.strictObject({
    operation: z.literal('close'),
    host: hostSchema,
    session: sessionIdSchema,
    body: holdSessionSchema,
  }),
])

export type HostCall = z.infer<typeof hostCallSchema>

// The function that forwards calls on AWS has 300 seconds.
export const longestHostCall = 280_000

export const callHostEventSchema = z.union([
  hostCallSchema,
  z.strictObject({
    call: hostCallSchema,
    within: z.int().positive().max(longestHostCall).describe('Maximum milliseconds for the host to answer.'),
  }),
])

export type CallHostEvent = z.infer<typeof callHostEventSchema>

/**
 * The answer to a call. Failures on the way are answers too: `unknown_host`, `host_unreachable`, `host_timed_out`.
 */
export interface HostAnswer {
  status: number
  body: Json
}

export const hostAnswerSchema: z.ZodType<HostAnswer> = z.object({ status: z.int(), body: jsonSchema })

export interface HostCaller {
  /**
   * Makes exactly one call. The host's response is the answer, and so is a failure to reach it: 404 `unknown_host`,
   * 503 `host_unreachable`, 504 `host_timed_out`. After the latter two it is unknown whether the host carried the
   * call out; the same call again, with its step index or session id, shows it.
   * @param within Milliseconds that the host may take, if more than usual. A caller that cannot wait so long answers
   * 504 earlier.
   * @throws the signal's reason if it aborts
   */
  call(call: HostCall, signal?: AbortSignal, within?: number): Promise<HostAnswer>
}
