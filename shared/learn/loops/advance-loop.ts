import { EspalierError } from '../../core/contracts/errors.ts'
import type { Loop, LoopRound, LoopStage } from '../../core/contracts/loop.ts'
import { type BeginNeeds, beginStage, isAskedFor } from './begin-stage.ts'
import { findBaseLeak, heldOutTasks, readLineage, toSourceFacts } from './check-lineage.ts'
import { judgeRound } from './judge-round.ts'
import {
  currentRound,
  type LoopState,
  loopRanFor,
  openStage,
  usageOf,
  withRound,
  withStage,
} from './loop-state.ts'
import { type PlannedStage, stagesOf, startRound } from './plan-stages.ts'
import {
  cancelStage,
  holdStage,
  lookAtStage,
  type StageLimits,
  type StageState,
  wakeStage,
} from './stage-work.ts'

export interface Advanced {
  state: LoopState
  /** Seconds until the next poll. Null: the loop has ended, or waits to be resumed. */
  delay: number | null
}

/** Seconds between two polls of a new stage, and of a long one. */
const [soon, late] = [1, 15]

/**
 * Polls a loop once: checks the stage in progress, records its end, or begins the next. It writes nothing: the caller
 * replaces the state it read with the returned one, so only one of two concurrent polls takes effect. Safe to call
 * again after a crash: it creates nothing twice.
 *
 * @throws faults of storage and other transient faults; the caller retries the poll
 */
export async function advanceLoop(needs: BeginNeeds, state: LoopState, now: number): Promise<Advanced> {
  const { loop, wanted } = state
  // On every poll of a cancelled loop: another poll may have begun a stage and crashed before it recorded it.
  if (wanted === 'pause' || loop.status === 'cancelled') return stop(needs, state, now)
  if (loop.status === 'queued') return begin(needs, state, now)
  if (loop.status !== 'running') return { state, delay: null }
  const { time } = loop.request.limits
  const stage = openStage(loop)
  if (time !== undefined && loopRanFor(state, now) >= time * 1000) {
    if (stage !== null) await holdStage(needs.parts, stage)
    return paused(state, `The loop has run for its ${time} seconds (limits.time). ${goOn}`, now)
  }
  if (stage === null) return goOnWith(needs, { ...state, wanted: null }, now)
  if (wanted === 'wake') return wake(needs, state, stage, now)
  return look(needs, state, stage, now)
}

const goOn = 'Resume it with a higher cap.'

async function begin(needs: BeginNeeds, state: LoopState, now: number): Promise<Advanced> {
  const { loop } = state
  const leak = await findBaseLeak(needs.parts, loop.request)
  if (leak !== null) return ended({ ...state, running_since: now }, 'failed', leak, now)
  const { policy = null } = loop.request
  const round: LoopRound = { ...emptyRound(0), policy: 'registered' in loop.request.base ? null : policy }
  const started = { ...loop, status: 'running' as const, started_at: iso(now), rounds: [round] }
  return { state: { ...state, loop: started, running_since: now }, delay: 0 }
}

async function goOnWith(needs: BeginNeeds, state: LoopState, now: number): Promise<Advanced> {
  const next = nextStage(state.loop)
  return next === undefined ? endRound(needs, state, now) : beginNext(needs, state, next, now)
}

function nextStage(loop: Loop): PlannedStage | undefined {
  const { round, stages } = currentRound(loop)
  const done = new Set(stages.map(({ id }) => id))
  return stagesOf(loop, round).find(({ id }) => !done.has(id))
}

async function beginNext(
  needs: BeginNeeds,
  state: LoopState,
  planned: PlannedStage,
  now: number,
  before: LoopStage | null = null,
): Promise<Advanced> {
  const { loop } = state
  const { cost } = loop.request.limits
  if (cost !== undefined && (loop.usage.cost ?? 0) >= cost) {
    return paused(state, `The loop has spent its $${cost} (limits.cost). ${goOn}`, now, planned.id)
  }
  try {
    const stage = await newStage(needs, state, planned, now, before)
    const shown = { ...loop, reason: null, progress: { ...loop.progress, stage: stage.id, ref: stage.ref } }
    const delay = stage.kind === 'serve' ? 0 : soon
    return { state: { ...state, wanted: null, loop: withStage(shown, stage) }, delay }
  } catch (error) {
    const reason = `${planned.id} of round ${planned.round} could not begin: ${refusal(error)}`
    return paused(state, reason, now, planned.id)
  }
}

async function newStage(
  needs: BeginNeeds,
  state: LoopState,
  planned: PlannedStage,
  now: number,
  before: LoopStage | null,
): Promise<LoopStage> {
  const tries = (before?.tries ?? 0) + 1
  const limits = stageLimits(state, null, now)
  const { ref, facts } = await beginStage(needs, state, planned, { tries, limits })
  const { id, kind, purpose, object } = planned
  const began = { started_at: iso(now), ended_at: null, seconds: 0, cost: 0 }
  const earlier = before && { earlier: usageOf([before]) }
  return { id, kind, purpose, object, ref, tries, status: 'running', ...began, ...earlier, facts }
}

function stageLimits(state: LoopState, stage: LoopStage | null, now: number): StageLimits {
  const { limits } = state.loop.request
  const spent = (state.loop.usage.cost ?? 0) - (stage?.cost ?? 0)
  const time = limits.time === undefined ? null : limits.time - loopRanFor(state, now) / 1000
  return {
    ...(limits.cost !== undefined && { cost: Math.max(1e-9, limits.cost - spent) }),
    ...(time !== null && { time: Math.max(1, Math.ceil(time + (stage?.seconds ?? 0))) }),
  }
}

async function look(needs: BeginNeeds, state: LoopState, stage: LoopStage, now: number): Promise<Advanced> {
  const seen = await lookAtStage(needs.parts, stage)
  const looked = withLook(state, stage, seen)
  switch (seen.state) {
    case 'running':
      return { state: looked, delay: untilNextLook(stage, now) }
    case 'paused':
      return paused(looked, seen.reason ?? 'Its stage is paused.', now)
    case 'failed':
      return failed(looked, stage.id, seen.reason ?? 'Its stage failed.', now)
    case 'succeeded':
      return endStage(needs, looked, stage.id, now)
  }
}

function withLook(state: LoopState, stage: LoopStage, seen: StageState): LoopState {
  const facts = { ...stage.facts, ...seen.facts }
  const { cost, seconds } = seen
  return { ...state, loop: withStage(state.loop, { ...stage, status: 'running', cost, seconds, facts }) }
}

function untilNextLook(stage: LoopStage, now: number): number {
  const age = (now - Date.parse(stage.started_at)) / 1000
  return Math.min(late, Math.max(soon, Math.round(age / 20)))
}

async function endStage(needs: BeginNeeds, state: LoopState, id: string, now: number): Promise<Advanced> {
  const { loop } = state
  const stage = currentRound(loop).stages.find((each) => each.id === id) as LoopStage
  const gate = stage.kind === 'build' ? await passDataset(needs, state, stage) : { facts: {} }
  if ('refused' in gate) return failed(state, id, gate.refused, now)
  const facts = { ...stage.facts, ...gate.facts }
  const closed = withStage(loop, { ...stage, status: 'succeeded', ended_at: iso(now), facts })
  return { state: { ...state, loop: recordEnd(closed, { ...stage, facts }) }, delay: 0 }
}

function recordEnd(loop: Loop, { facts, id, kind, purpose, ref }: LoopStage): Loop {
  const round = currentRound(loop)
  const { model } = facts
  if (kind === 'serve' && typeof model === 'string') {
    const policy = { endpoint: ref, id: model }
    if (purpose === 'round') return withRound(loop, { ...round, model, policy })
    if (purpose === 'control') return { ...loop, control: { model, policy, evaluation: null } }
  }
  if (id === 'evaluate') return withRound(loop, { ...round, evaluation: ref })
  if (id === 'evaluate-control' && loop.control !== null) {
    return { ...loop, control: { ...loop.control, evaluation: ref } }
  }
  return loop
}

/** Refuses datasets with rows of held-out tasks, even if their own gates let these through, and empty datasets. */
async function passDataset(
  { parts }: BeginNeeds,
  { loop }: LoopState,
  stage: LoopStage,
): Promise<{ facts: LoopStage['facts'] } | { refused: string }> {
  const heldOut = await heldOutTasks(parts, loop.request)
  const { environment } = loop.request
  const { leaked, sources } = await readLineage(parts.datasets.lineage(stage.ref), { environment, heldOut })
  if (leaked !== null) {
    const who =
      stage.purpose === 'experts' ? 'Leave them out of the experts' : 'Leave them out of the sources'
    return {
      refused: `${leaked.rows} rows of the dataset ${stage.ref} are of tasks that the loop measures models on, such as ${leaked.task}. ${who}, or choose other tasks.test and tasks.dev in a new loop.`,
    }
  }
  if (stage.facts.rows === 0) {
    const leftOut = Object.entries(stage.facts.left_out as Record<string, number>)
      .map(([reason, count]) => `${count} ${reason}`)
      .join(', ')
    return {
      refused: `The dataset ${stage.ref} has no rows${leftOut === '' ? '' : ` (left out: ${leftOut})`}. Have more episodes played (espalier extend or retry the run it is from) and resume the loop, or begin one with other settings.`,
    }
  }
  return { facts: { sources: toSourceFacts(sources) } }
}

async function endRound({ parts }: BeginNeeds, state: LoopState, now: number): Promise<Advanced> {
  const { loop } = state
  const { patience, settings } = loop.request
  const round = currentRound(loop)
  const rounds = settings.rounds ?? 1
  if (round.round === 0) {
    const best = { round: 0, model: round.model }
    return nextRound({ ...state, loop: { ...loop, best } })
  }
  const outcome = await judgeRound(parts, loop)
  const judged = withRound(loop, { ...round, outcome })
  const without_gain = outcome.promoted ? 0 : loop.without_gain + 1
  const best = outcome.promoted ? { round: round.round, model: round.model } : loop.best
  const closed = { ...state, loop: { ...judged, best, without_gain } }
  if (patience !== null && without_gain >= patience && round.round < rounds) {
    const reason = `No gain in ${without_gain} rounds, so the others were not made (patience). The best model is that of round ${best?.round ?? 0}.`
    return ended(closed, 'succeeded', reason, now)
  }
  if (round.round >= rounds) {
    return ended(
      closed,
      'succeeded',
      `All ${rounds} rounds were made. The best model is that of round ${best?.round ?? 0}.`,
      now,
    )
  }
  return nextRound(closed)
}

function nextRound(state: LoopState): Advanced {
  const { loop } = state
  const number = currentRound(loop).round + 1
  const from = startRound(loop, number)
  const start = from === null ? registeredBase(loop) : (loop.rounds[from]?.model ?? null)
  const rounds = [...loop.rounds, { ...emptyRound(number), start }]
  const progress = { ...loop.progress, round: number, stage: null, ref: null }
  return { state: { ...state, loop: { ...loop, rounds, progress } }, delay: 0 }
}

function registeredBase({ request: { base } }: Pick<Loop, 'request'>): string | null {
  return 'registered' in base ? base.registered : null
}

function emptyRound(round: number): LoopRound {
  return { round, start: null, model: null, policy: null, evaluation: null, stages: [], outcome: null }
}

async function wake(needs: BeginNeeds, state: LoopState, stage: LoopStage, now: number): Promise<Advanced> {
  const planned = stagesOf(state.loop, currentRound(state.loop).round).find(({ id }) => id === stage.id)
  if (planned === undefined) throw new Error(`The loop has no stage ${stage.id}.`)
  try {
    if (await wakeStage(needs.parts, stage, stageLimits(state, stage, now))) {
      const going = withStage(state.loop, { ...stage, status: 'running' })
      return { state: { ...state, wanted: null, loop: going }, delay: soon }
    }
  } catch (error) {
    return paused({ ...state, wanted: null }, `${stage.id} cannot go on: ${refusal(error)}`, now)
  }
  const over = { ...stage, ...(await finalUsage(needs, stage)) }
  const counted = { ...state, wanted: null, loop: withStage(state.loop, over) }
  return beginNext(needs, counted, planned, now, over)
}

/** The usage of a failed try, read once more: calls in flight may have counted since. */
async function finalUsage({ parts }: BeginNeeds, { cost, seconds, ...stage }: LoopStage) {
  try {
    const seen = await lookAtStage(parts, { ...stage, cost, seconds })
    return { cost: seen.cost, seconds: seen.seconds }
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== 'not_found') throw error
    return { cost, seconds }
  }
}

async function stop(needs: BeginNeeds, state: LoopState, now: number): Promise<Advanced> {
  const { loop } = state
  const next = { state: { ...state, wanted: null }, delay: null }
  if (loop.rounds.length === 0) return next
  const stage = openStage(loop) ?? (await findBegun(needs, state, now))
  if (stage === null || stage.status === 'failed') return next
  await (loop.status === 'cancelled' ? cancelStage : holdStage)(needs.parts, stage)
  return { ...next, state: { ...next.state, loop: withStage(loop, stage) } }
}

async function findBegun(needs: BeginNeeds, state: LoopState, now: number): Promise<LoopStage | null> {
  const planned = nextStage(state.loop)
  if (planned === undefined || !(await isAskedFor(needs, state, planned))) return null
  return newStage(needs, state, planned, now, null)
}

function paused(state: LoopState, reason: string, now: number, stage?: string): Advanced {
  const { loop } = state
  const progress = stage === undefined ? loop.progress : { ...loop.progress, stage, ref: null }
  const stopped = stopClock(state, now)
  return {
    state: { ...stopped, wanted: null, loop: { ...stopped.loop, status: 'paused', reason, progress } },
    delay: null,
  }
}

function failed(state: LoopState, stage: string, reason: string, now: number): Advanced {
  const { loop } = state
  const found = currentRound(loop).stages.find(({ id }) => id === stage) as LoopStage
  const marked = { ...state, loop: withStage(loop, { ...found, status: 'failed', ended_at: iso(now) }) }
  return paused(marked, reason, now)
}

function ended(state: LoopState, status: 'succeeded' | 'failed', reason: string, now: number): Advanced {
  const stopped = stopClock(state, now)
  const progress = { ...stopped.loop.progress, stage: null, ref: null }
  const loop = { ...stopped.loop, status, reason, ended_at: iso(now), progress }
  return { state: { ...stopped, wanted: null, loop }, delay: null }
}

export function stopClock(state: LoopState, now: number): LoopState {
  const running_seconds = Math.round(loopRanFor(state, now) / 100) / 10
  return { ...state, running_since: null, loop: { ...state.loop, running_seconds } }
}

function refusal(error: unknown): string {
  if (EspalierError.isInstance(error) && error.status < 500) return error.message
  throw error
}

function iso(now: number): string {
  return new Date(now).toISOString()
}
