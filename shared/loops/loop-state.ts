import type { Loop, LoopRound, LoopStage } from '../contracts/loop.ts'
import { addCosts } from '../contracts/money.ts'

/** A loop as it is stored: what the API shows, and what its engine goes on from. Times are milliseconds since the epoch. */
export interface LoopState {
  loop: Loop
  tenant: string
  /** Changes with every write: who writes states which one it read. */
  revision: number
  /** Numbers the looks at the loop: a message with an earlier number has a successor already. */
  look: number
  /** What was asked for and is not done yet: the next look does it. */
  wanted: 'pause' | 'cancel' | 'wake' | null
  /** Since when it runs; null while it does not. */
  running_since: number | null
  /** The experts by what they are. */
  experts: { runs: string[]; trajectories: string[] }
}

/** Milliseconds that the loop has been running. */
export function loopRanFor({ loop, running_since }: LoopState, now: number): number {
  return loop.running_seconds * 1000 + (running_since === null ? 0 : Math.max(0, now - running_since))
}

/** The round that is under way: the last one. */
export function currentRound({ rounds }: Pick<Loop, 'rounds'>): LoopRound {
  const round = rounds.at(-1)
  if (round === undefined) throw new Error('The loop has no round.')
  return round
}

/** The stage under way, or the one that has failed. */
export function openStage(loop: Pick<Loop, 'rounds'>): LoopStage | null {
  return currentRound(loop).stages.find(({ status }) => status !== 'succeeded') ?? null
}

export function findStage(loop: Pick<Loop, 'rounds'>, round: number, id: string): LoopStage | undefined {
  return loop.rounds[round]?.stages.find((stage) => stage.id === id)
}

/** The loop with one of the current round's stages replaced, or added. */
export function withStage(loop: Loop, stage: LoopStage): Loop {
  const round = currentRound(loop)
  const known = round.stages.some(({ id }) => id === stage.id)
  const stages = known
    ? round.stages.map((each) => (each.id === stage.id ? stage : each))
    : [...round.stages, stage]
  return withUsage(withRound(loop, { ...round, stages }))
}

/** The loop with its current round replaced. */
export function withRound(loop: Loop, round: LoopRound): Loop {
  return { ...loop, rounds: loop.rounds.map((each) => (each.round === round.round ? round : each)) }
}

function withUsage(loop: Loop): Loop {
  const stages = loop.rounds.flatMap((round) => round.stages)
  return { ...loop, usage: usageOf(stages) }
}

/** What stages took in all. */
export function usageOf(stages: readonly LoopStage[]): Loop['usage'] {
  return {
    cost: stages.reduce<number | null>((sum, { cost }) => addCosts(sum, cost), 0),
    seconds: Math.round(stages.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10,
  }
}
