import { setTimeout as wait } from 'node:timers/promises'
import { errorBodySchema } from '../../core/contracts/error-body.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { HostAnswer, HostCaller } from '../../core/contracts/host-call.ts'
import { sessionSchema } from '../../core/contracts/session.ts'
import { openPictureStore } from '../../core/pictures/picture-store.ts'
import type { World } from '../../core/world/ports.ts'
import { SessionLostError } from '../session-lost-error.ts'
import type { OpenedSession, SessionRequest, SessionSource } from '../session-source.ts'
import { type CallScaler, callScalerOnce } from './fleet-call.ts'
import { type FleetFault, isHopeless, readFleetFault } from './fleet-fault.ts'
import { hostAnswerError } from './host-answer-error.ts'
import { askForSlots, readDemand, withdrawDemand } from './host-demand.ts'
import { leaseDuration } from './host-registry.ts'
import { closeSession, HostSession, toSessionResult } from './host-session.ts'
import type { SessionPlace } from './session-place.ts'
import { leaseSlot, releaseSlot, renewSlot, type SlotLease } from './slot-lease.ts'
import { SpareSessions, spareLease } from './spare-sessions.ts'

const demandMilliseconds = { duration: 60_000, repeated: 20_000 }

/** After this many hosts answered and could not open it, another one does not help. */
const mostRefusals = 5
/** The bound for a session with a machine of its own: the lessee can lease another. */
const mostRefusalsOfMachine = 1
// On Lambda no more fit into an invocation. A frozen host answers again within minutes.
const unansweredMilliseconds = 300_000
const usualWithin = 30_000
// A host may be full or away for minutes: until leases expire, or the fleet drops it.
const mostFailuresOfHost = 100

/** Milliseconds between polls for a free slot: the first, the most while a host starts, and the most after that. */
const usualLooks = { first: 100, most: 2000, late: 10_000 }
const usualStart = 60_000

export interface HostSessionsOptions {
  world: Pick<World, 'ledger' | 'clock' | 'objects'>
  caller: HostCaller
  image: string
  environment: string
  /** True if step answers include the resulting states, which are values or kept by the host. */
  withSnapshots: boolean
  /** True if their host keeps the states, and they are valid there alone. @default false: they are values */
  keepsStates?: boolean
  files?(task: string): Promise<Record<string, string>>
  /** Milliseconds that a host may take for a start or a step. @default the caller's */
  within?: number
  slowStart?: string
  callScaler?: CallScaler
  looks?: typeof usualLooks
}

/**
 * Opens sessions on the hosts of an image: leases a slot, waits for one if none is free, and avoids hosts that do not
 * answer.
 */
export function hostSessions(options: HostSessionsOptions): SessionSource {
  const { world, caller, image, environment, within, looks = usualLooks } = options
  const pictures = openPictureStore(world.objects)
  const isRoomWanted = async () => (await readDemand(world, image)) > 0
  const spares = new SpareSessions(isRoomWanted)

  async function lease(
    { holder, onNoRoom }: SessionRequest,
    except: string[],
    signal: AbortSignal,
  ): Promise<SlotLease> {
    const before = await readFleetFault(world, image)
    const began = performance.now()
    let askedAt: number | null = null
    try {
      for (let pause = looks.first; ; ) {
        const slot = await leaseSlot(world, { image, holder, duration: leaseDuration, except })
        if (slot !== null) return slot
        onNoRoom?.()
        spares.giveUp()
        const waited = performance.now() - began
        // Requests of all waiting callers share one partition of the ledger: each is written only as often as
        // necessary.
        if (askedAt === null || waited - askedAt >= demandMilliseconds.repeated) {
          await askForSlots(world, { image, who: holder, slots: 1, duration: demandMilliseconds.duration })
          askedAt = waited
        }
        if (options.callScaler) await callScalerOnce(world, options.callScaler)
        await refuseHopeless(before)
        await wait(pause * (0.75 + Math.random() / 2), undefined, { signal })
        // An unreachable host may be back, or gone permanently.
        if (pause >= looks.most) except.length = 0
        pause = Math.min(pause * 2, waited < usualStart ? looks.most : looks.late)
      }
    } finally {
      if (askedAt !== null) await withdrawDemand(world, { image, who: holder })
    }
  }

  /** @throws EspalierError if hosts of the image do not start, so that no episode waits forever */
  async function refuseHopeless(before: FleetFault | null): Promise<void> {
    const fault = await readFleetFault(world, image)
    if (!isHopeless(fault, before)) return
    throw new EspalierError(
      'host_unreachable',
      `Hosts of "${image}" do not start, so ${environment} cannot be played. ${fault.reason} Correct that, then retry the run.`,
    )
  }

  async function bodyOf({ task, seed, options: settings, files: own }: SessionRequest) {
    const shared = await options.files?.(task)
    const files = own === undefined ? shared : { ...shared, ...own }
    return { environment, task, seed, ...(files && { files }), ...(settings && { options: settings }) }
  }

  async function openIn(
    slot: SlotLease,
    request: Awaited<ReturnType<typeof bodyOf>>,
    { place, signal }: { place: LeasedPlace; signal: AbortSignal },
  ): Promise<OpenedSession | HostAnswer> {
    const { host, session: id, token } = slot
    try {
      const body = { id, token, ...request }
      const answer = await caller.call({ operation: 'create', host, body }, signal, within)
      if (answer.status >= 400) {
        // Without an answer, the session may have been opened.
        if (answer.status >= 502) await closeSession(caller, slot)
        await releaseSlot(world, slot)
        return answer
      }
      const opening = sessionSchema.parse(answer.body)
      const { withSnapshots, keepsStates = false } = options
      const limits = { ...(within !== undefined && { within }) }
      const answered = { withSnapshots, keepsStates, path: opening.path }
      const live = new HostSession({ caller, place, pictures, ...answered, ...limits })
      return { live, result: await toSessionResult(opening, pictures) }
    } catch (error) {
      // The host may be at work on it still, with a machine that is another's as soon as this has ended.
      if (signal.aborted) await closeSession(caller, slot)
      await releaseSlot(world, slot)
      throw error
    }
  }

  async function open(request: SessionRequest, signal: AbortSignal, leaving = signal) {
    const body = await bodyOf(request)
    const except: string[] = []
    const most = request.files === undefined ? mostRefusals : mostRefusalsOfMachine
    const mostUnanswered = Math.max(2, Math.ceil(unansweredMilliseconds / (within ?? usualWithin)))
    const failures: Record<string, number> = {}
    for (let refusals = 0, unanswered = 0; ; ) {
      const slot = await lease(request, except, leaving)
      const began = performance.now()
      const opened = await openIn(slot, body, { place: new LeasedPlace(world, slot), signal })
      if ('live' in opened) return opened
      const error = hostAnswerError(opened)
      if (isUnanswered(opened)) unanswered += 1
      if (unanswered >= mostUnanswered)
        throw unansweredStart(request, { tries: unanswered, waited: performance.now() - began, cause: error })
      if (isRefusal(opened)) refusals += 1
      const ofHost = (failures[slot.host] ?? 0) + 1
      failures[slot.host] = ofHost
      const isOver = refusals >= most || ofHost >= mostFailuresOfHost
      if (isOver || !(error instanceof SessionLostError)) throw error
      except.push(slot.host)
    }
  }

  function unansweredStart(
    { task }: SessionRequest,
    { cause, tries, waited }: { cause: Error; tries: number; waited: number },
  ): EspalierError {
    const seconds = Math.round(waited / 1000)
    const cure =
      options.slowStart ?? 'Their machine may be overloaded: lower max_parallel, then retry the run.'
    return new EspalierError(
      'host_timed_out',
      `Hosts of "${image}" did not start the task "${task}" of ${environment} in ${tries} tries; the last had no answer after ${seconds} seconds. ${cure}`,
      { cause },
    )
  }

  async function openSpare(request: SessionRequest, signal: AbortSignal): Promise<OpenedSession | null> {
    if (await isRoomWanted()) return null
    const body = await bodyOf(request)
    const { holder } = request
    const leased = await leaseSlot(world, { image, holder, duration: leaseDuration, spare: true })
    // All lease a slot for the same duration, since a much longer one counts as a clock error; then it is shortened.
    const slot = leased && (await renewSlot(world, leased, spareLease))
    if (slot === null) return null
    const place = new LeasedPlace(world, slot, spareLease)
    const opened = await openIn(slot, body, { place, signal })
    return 'live' in opened ? spares.add(opened, place, request.onNoRoom) : null
  }
  return { open, openSpare }
}

/** True if the host itself refused, and not for lack of room: a failure to reach a host names the host. */
function isRefusal(answer: HostAnswer): boolean {
  const { code, param } = failureOf(answer)
  return code !== 'host_full' && code !== 'host_draining' && param !== 'host'
}

function isUnanswered(answer: HostAnswer): boolean {
  const { code, param } = failureOf(answer)
  return code === 'host_timed_out' && param === 'host'
}

function failureOf({ body }: HostAnswer): { code: string | null; param: string | null } {
  return errorBodySchema.safeParse(body).data?.error ?? { code: null, param: null }
}

export class LeasedPlace implements SessionPlace {
  readonly #world: Pick<World, 'ledger' | 'clock'>
  readonly #duration: number
  #slot: SlotLease

  /** @param duration of the lease and of each renewal; milliseconds */
  constructor(world: Pick<World, 'ledger' | 'clock'>, slot: SlotLease, duration = leaseDuration) {
    this.#world = world
    this.#slot = slot
    this.#duration = duration
  }

  get last(): SlotLease {
    return this.#slot
  }

  async hold(): Promise<SlotLease> {
    const world = this.#world
    const left = this.#slot.lease.expires_at - world.clock.now()
    // If the clock was set back, the remaining time exceeds the lease, and others would take the slot for free.
    if (left > this.#duration / 2 && left <= this.#duration) return this.#slot
    const renewed = await renewSlot(world, this.#slot, this.#duration)
    if (renewed === null) throw new SessionLostError(`The slot ${this.#slot.session} was leased by another.`)
    this.#slot = renewed
    return renewed
  }

  async release(): Promise<void> {
    await releaseSlot(this.#world, this.#slot)
  }
}
