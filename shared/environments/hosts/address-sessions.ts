import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { errorBodySchema } from '../../core/contracts/error-body.ts'
import type { HostAnswer, HostCaller } from '../../core/contracts/host-call.ts'
import { sessionSchema } from '../../core/contracts/session.ts'
import { registeredFetch } from '../../core/outbound/outbound-fetch.ts'
import { type PictureStore, unkeptPictures } from '../../core/pictures/picture-store.ts'
import type { SessionRequest, SessionSource } from '../session-source.ts'
import { hostAnswerError } from './host-answer-error.ts'
import { HostSession, toSessionResult } from './host-session.ts'
import { sendHostCall } from './send-host-call.ts'
import type { HeldPlace } from './session-place.ts'

const longestCall = 120_000
const fullServerRetryMilliseconds = { first: 200, most: 5000 }

export interface AddressSessionsOptions {
  address: string
  environment: string
  withSnapshots: boolean
  /** The store for pictures. @default none: they are measured only */
  pictures?: PictureStore
  files?(task: string): Promise<Record<string, string>>
}

/**
 * Opens sessions on one server, at its address. It leases nothing: sessions have names of their own, and the server
 * drops one that was not closed.
 */
export function addressSessions(options: AddressSessionsOptions): SessionSource {
  const { environment, withSnapshots, pictures = unkeptPictures } = options
  const origin = options.address.replace(/\/+$/, '')
  const host = new URL(origin).host
  const caller: HostCaller = {
    call: (call, signal) =>
      sendHostCall(call, { origin, timeout: longestCall, fetch: registeredFetch, ...(signal && { signal }) }),
  }

  async function open(
    { task, seed, options: settings, onNoRoom }: SessionRequest,
    signal: AbortSignal,
    leaving = signal,
  ) {
    const files = await options.files?.(task)
    const last: HeldPlace = { host, session: randomUUID(), token: 1 }
    const { session: id, token } = last
    const body = {
      id,
      environment,
      task,
      seed,
      token,
      ...(files && { files }),
      ...(settings && { options: settings }),
    }
    for (
      let pause = fullServerRetryMilliseconds.first;
      ;
      pause = Math.min(pause * 2, fullServerRetryMilliseconds.most)
    ) {
      const answer = await caller.call({ operation: 'create', host, body }, signal)
      if (answer.status < 400) {
        const opening = sessionSchema.parse(answer.body)
        const place = { last, hold: async () => last, release: async () => undefined }
        const live = new HostSession({ caller, withSnapshots, place, pictures, path: opening.path })
        return { live, result: await toSessionResult(opening, pictures) }
      }
      if (!hasNoRoom(answer)) throw hostAnswerError(answer)
      onNoRoom?.()
      await wait(pause, undefined, { signal: leaving })
    }
  }
  return { open }
}

function hasNoRoom({ body }: HostAnswer): boolean {
  const code = errorBodySchema.safeParse(body).data?.error.code
  return code === 'host_full' || code === 'host_draining'
}
