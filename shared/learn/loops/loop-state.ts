import type { Loop, LoopRound, LoopStage } from '../../core/contracts/loop.ts'
import { addCosts } from '../../core/contracts/money.ts'
import { type CountedAt, countedUpTo, type Moment, ranFor } from '../../core/engine/runs/run-clock.ts'

/** A stored loop: the API's view and the engine's own state. Times are milliseconds since the epoch. */
export interface LoopState {
  loop: Loop
  tenant: string
  /** Changes with every write. A writer names the revision it read. */
  revision: number
  /** Number of polls. A message with an earlier number already has a successor. */
  look: number
  wanted: 'pause' | 'cancel' | 'wake' | null
  /** Start of the current running period. Null while the loop is not running. */
  running_since: number | null
  /** The moment up to which `running_seconds` counts. Absent from loops of earlier versions. */
  counted_at?: CountedAt | null | undefined
  experts: { runs: string[]; trajectories: string[] }
}

/** Running time in milliseconds, by the steady clock of the machine that counted last. Setting the date adds none. */
export function loopRanFor(state: LoopState, at: Moment | number): number {
  return Math.round(ranFor(clockOf(state), at))
}

/** The same state, counted up to a moment: each poll counts, so the date matters for no longer than a poll. */
export function countLoop(state: LoopState, at: Moment): LoopState {
  if (state.running_since === null) return state
  const { running_milliseconds, counted_at } = countedUpTo(clockOf(state), at)
  const running_seconds = Math.round(running_milliseconds) / 1000
  return { ...state, running_since: at.now, counted_at, loop: { ...state.loop, running_seconds } }
}

function clockOf({ counted_at = null, loop, running_since }: LoopState) {
  return { running_since, counted_at, running_milliseconds: loop.running_seconds * 1000 }
}

export function currentRound({ rounds }: Pick<Loop, 'rounds'>): LoopRound {
  const round = rounds.at(-1)
  if (round === undefined) throw new Error('The loop has no round.')
  return round
}

export function openStage(loop: Pick<Loop, 'rounds'>): LoopStage | null {
  return currentRound(loop).stages.find(({ status }) => status !== 'succeeded') ?? null
}

export function findStage(loop: Pick<Loop, 'rounds'>, round: number, id: string): LoopStage | undefined {
  return loop.rounds[round]?.stages.find((stage) => stage.id === id)
}

export function withStage(loop: Loop, stage: LoopStage): Loop {
  const round = currentRound(loop)
  const known = round.stages.some(({ id }) => id === stage.id)
  const stages = known
    ? round.stages.map((each) => (each.id === stage.id ? stage : each))
    : [...round.stages, stage]
  return withUsage(withRound(loop, { ...round, stages }))
}

export function withRound(loop: Loop, round: LoopRound): Loop {
  return { ...loop, rounds: loop.rounds.map((each) => (each.round === round.round ? round : each)) }
}

function withUsage(loop: Loop): Loop {
  const stages = loop.rounds.flatMap((round) => round.stages)
  return { ...loop, usage: usageOf(stages) }
}

/** The total of all stages, with every try of each. */
export function usageOf(stages: readonly LoopStage[]): Loop['usage'] {
  const all = stages.flatMap((stage) => (stage.earlier === undefined ? [stage] : [stage, stage.earlier]))
  return {
    cost: all.reduce<number | null>((sum, { cost }) => addCosts(sum, cost), 0),
    seconds: Math.round(all.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10,
  }
}
