import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { type FaultKind, type FaultyService, faultAnswer } from './fault-answers.ts'
import {
  openWireProxy,
  type Passage,
  type PassingAnswer,
  type PassingRequest,
  type WireProxy,
} from './wire-proxy.ts'

/** The share of requests that each fault is done to, from 0 to 1. */
export type FaultRates = Readonly<Record<FaultKind, number>>

/** A share of all requests, spread over the kinds of faults. */
export function spreadFaults(share: number): FaultRates {
  return { conflict: 0.25 * share, throttle: 0.3 * share, unavailable: 0.2 * share, lost: 0.25 * share }
}

export const noFaults: FaultRates = { conflict: 0, throttle: 0, unavailable: 0, lost: 0 }

export interface FaultOptions {
  rates: FaultRates
  /** Of the faults: the same requests in the same order meet the same ones. */
  seed: number
  /**
   * From this attempt of one call on, as the SDK counts them in `amz-sdk-request`, nothing is done to it: so that each call goes
   * well in the end. None unless it is given, and then some calls fail for good.
   */
  sparesAttempt?: number
}

export interface FaultProxy extends Pick<WireProxy, 'address' | 'close'> {
  service: FaultyService
  /** How many requests met which fault, and how many passed. */
  faults: Record<FaultKind | 'passed', number>
}

/** What else to do with requests that pass, and whom to show their answers. */
export interface FaultProxyHooks {
  change?: (request: PassingRequest) => Passage
  observe?: (request: PassingRequest, answer: PassingAnswer) => void
}

/**
 * Stands before a service and does to a share of its requests what AWS does to them under load: transactions that meet others,
 * throttling in each of its forms, 5xx, and answers that are lost after the work was done. A fault that a service never makes
 * of such a request is made of none: reads conflict with nothing.
 */
export async function startFaultProxy(
  service: FaultyService,
  target: string,
  { rates, seed, sparesAttempt = Number.POSITIVE_INFINITY }: FaultOptions,
  { change = () => 'pass', observe }: FaultProxyHooks = {},
): Promise<FaultProxy> {
  const faults = { conflict: 0, throttle: 0, unavailable: 0, lost: 0, passed: 0 }
  const chance = seededRandom('faults', service, seed)

  function decide(request: PassingRequest): Passage {
    const kind = kindFor(rates, chance())
    const pick = chance()
    const isSpared = attemptOf(request) >= sparesAttempt
    const fault = kind === null || isSpared ? null : passageOf(service, kind, request, pick)
    faults[fault === null || kind === null ? 'passed' : kind] += 1
    return fault ?? change(request)
  }

  const hooks = observe === undefined ? {} : { observe }
  const { address, close } = await openWireProxy(target, decide, { ...hooks, keeps: false })
  return { service, faults, address, close }
}

function kindFor(rates: FaultRates, drawn: number): FaultKind | null {
  let below = 0
  for (const [kind, rate] of Object.entries(rates)) {
    below += rate
    if (drawn < below) return kind as FaultKind
  }
  return null
}

function passageOf(
  service: FaultyService,
  kind: FaultKind,
  request: PassingRequest,
  pick: number,
): Passage | null {
  return kind === 'lost' ? 'lose answer' : faultAnswer(service, kind, request, pick)
}

/** Which attempt of its call a request is, from 1. */
function attemptOf({ headers }: PassingRequest): number {
  return Number(/attempt=(\d+)/.exec(String(headers['amz-sdk-request']))?.[1] ?? 1)
}
