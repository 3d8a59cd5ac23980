import type { JsonObject } from '../../../core/contracts/json.ts'
import type { MethodLawId } from '../../../core/contracts/method-validation.ts'
import { ForeignWaitError, RepeatedKeyError } from '../../../core/engine/effect-scope.ts'
import type { PlayOutcome } from '../../../core/engine/episode-player.ts'
import type { Method } from '../method.ts'
import { checkBounds } from './check-bounds.ts'
import { failed, type LawOutcome, type LawOutcomes, passed, skipped } from './laws.ts'
import {
  type CaseOptions,
  cutJournal,
  type LawCase,
  type LawParts,
  lastEffect,
  type PlayedCase,
  playCase,
} from './play-case.ts'
import { watchCode } from './watch-code.ts'

export interface CaseChecks {
  parts: LawParts
  method: Method
  played: LawCase
  parameters: JsonObject
  longest: number
  files: readonly string[]
  mostCuts: number
  onLaw?: (law: MethodLawId) => void
}

export interface CheckedCase {
  outcomes: LawOutcomes
  effects: number
  resumed: number
}

export async function checkCase(checks: CaseChecks): Promise<CheckedCase> {
  const { files, method, parts, played } = checks
  const at = place(played)
  checks.onLaw?.('plays')
  const { result: whole, uses } = await watchCode(files, () => playCase(parts, played))
  const [use] = uses
  const clock: LawOutcome = use === undefined ? passed : failed(`${use.name} is called at ${use.place}.`, at)
  const broken = brokenBy(whole, played)
  if (broken !== null) {
    const outcomes = { ...broken, 'no-clock': clock }
    return { outcomes, effects: whole.effects.length, resumed: 0 }
  }
  const again = async (options: CaseOptions = {}) => playCase(parts, played, options)
  checks.onLaw?.('same-again')
  const same = compare(whole, await again(), played)
  checks.onLaw?.('any-order')
  const orders = [
    compare(whole, await again({ delays: 'one' }), played),
    compare(whole, await again({ delays: 'other' }), played),
  ]
  checks.onLaw?.('replay')
  const replayed = await again({ objects: whole.objects })
  const replay =
    replayed.outcome.type === 'ended' && replayed.calls > 0
      ? failed(`It asked ${replayed.calls} times, though its journal holds every answer.`, at)
      : compare(whole, replayed, played)
  checks.onLaw?.('resume')
  const { outcome: resume, cuts } = await checkResume(checks, whole)
  checks.onLaw?.('limits')
  const bounds = await checkBounds(checks, whole)
  checks.onLaw?.('extend')
  const extend = await checkExtend(checks, whole)
  return {
    outcomes: {
      ends: passed,
      plays: passed,
      waits: passed,
      keys: passed,
      'no-clock': clock,
      'same-again': same,
      // If results differ in the same order, other orders show nothing.
      'any-order':
        same.status === 'failed' ? skipped('It is not the same in the same order either.') : worst(orders),
      replay,
      resume,
      ...bounds,
      extend:
        method.learn && played.purpose === 'learn' ? skipped('Learning episodes are not extended.') : extend,
    },
    effects: whole.effects.length,
    resumed: cuts,
  }
}

function place({ environment, task, purpose, training }: LawCase, effect: string | null = null) {
  const shown = purpose === 'learn' ? `learning from ${training.join(', ')}` : task
  return { environment, task: shown, effect }
}

function brokenBy({ outcome, records, segments }: PlayedCase, played: LawCase): LawOutcomes | null {
  if (outcome.type === 'ended') return null
  const at = place(played, lastEffect(records, segments))
  const message = messageOf(outcome)
  const error = outcome.type === 'failed' ? outcome.error : null
  const name = error instanceof Error ? error.name : ''
  if (name === ForeignWaitError.name) return { ends: passed, waits: failed(message, at) }
  if (name === RepeatedKeyError.name) return { ends: passed, keys: failed(message, at) }
  return { ends: passed, plays: failed(message, at) }
}

function messageOf(outcome: PlayOutcome): string {
  if (outcome.type === 'failed')
    return outcome.error instanceof Error ? outcome.error.message : String(outcome.error)
  return outcome.type === 'ended' ? 'It came to its end.' : outcome.message
}

function compare(
  whole: PlayedCase,
  other: PlayedCase,
  played: LawCase,
  segments: number | null = null,
): LawOutcome {
  const at = place(played, lastEffect(whole.records, segments ?? other.segments))
  const cut = segments === null ? '' : ` when it was taken up after ${segments} of ${whole.segments} segments`
  if (other.outcome.type !== 'ended')
    return failed(`It did not come to its end${cut}: ${messageOf(other.outcome)}`, at)
  const difference = differenceOf(whole, other)
  if (difference === null && other.bytes === whole.bytes) return passed
  return failed(
    `It came to something else${cut}.`,
    at,
    difference ?? firstDifference(whole.bytes, other.bytes),
  )
}

function differenceOf(whole: PlayedCase, other: PlayedCase): { expected: string; came: string } | null {
  const asked = (of: PlayedCase) => new Map(of.effects.map(({ effect, request }) => [effect, request]))
  const [expected, came] = [asked(whole), asked(other)]
  for (const [effect, request] of expected) {
    const found = came.get(effect)
    if (found === undefined) return { expected: `the effect ${effect}`, came: 'none of that key' }
    if (found !== request)
      return { expected: `${effect} as before`, came: `${effect}, asking for something else` }
  }
  const more = [...came.keys()].find((effect) => !expected.has(effect))
  return more === undefined ? null : { expected: `${expected.size} effects`, came: `one more: ${more}` }
}

function firstDifference(expected: string, came: string): { expected: string; came: string } {
  let index = 0
  while (index < expected.length && expected[index] === came[index]) index += 1
  const part = (text: string) => text.slice(Math.max(0, index - 40), index + 60)
  return { expected: part(expected), came: part(came) }
}

function worst(outcomes: readonly LawOutcome[]): LawOutcome {
  return outcomes.find(({ status }) => status === 'failed') ?? passed
}

async function checkResume(
  { mostCuts, parts, played }: CaseChecks,
  whole: PlayedCase,
): Promise<{ outcome: LawOutcome; cuts: number }> {
  const count = Math.min(mostCuts, whole.segments + 1)
  for (let cut = 0; cut < count; cut += 1) {
    const segments = count === 1 ? 0 : Math.round((cut * whole.segments) / (count - 1))
    const objects = await cutJournal(parts, whole.objects, segments)
    const resumed = await playCase(parts, played, { objects })
    const outcome = compare(whole, resumed, played, segments)
    if (outcome.status === 'failed') return { outcome, cuts: cut + 1 }
  }
  return { outcome: passed, cuts: count }
}

async function checkExtend(
  { method, parameters, parts, played }: CaseChecks,
  whole: PlayedCase,
): Promise<LawOutcome> {
  const names = method.extendable(parameters)
  if (names.length === 0) return skipped('No parameter is declared extendable.')
  const checked: string[] = []
  for (const name of names) {
    const value = parameters[name]
    if (typeof value !== 'number') continue
    const change = { [name]: Number.isInteger(value) ? value + 2 : value * 1.5 }
    const parsed = (method.variant?.(parameters) ?? method.parameters).safeParse({ ...parameters, ...change })
    if (!parsed.success) continue
    checked.push(name)
    const objects = await cutJournal(parts, whole.objects, whole.segments)
    const extended = await playCase(parts, played, { objects, change })
    const fresh = await playCase(parts, played, { change })
    const outcome = compare(fresh, extended, played)
    if (outcome.status === 'failed')
      return { ...outcome, reason: `${name} from ${value} to ${change[name]}: ${outcome.reason}` }
  }
  return checked.length > 0
    ? passed
    : skipped(`None of ${names.join(', ')} has a number here that could be raised; --set gives one.`)
}
