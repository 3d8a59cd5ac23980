import type { Loop, LoopRequest, LoopRound, LoopStage } from '../../core/contracts/loop.ts'
import { ofRound } from '../../core/contracts/loop-settings.ts'
import type { TrainingBase } from '../../core/contracts/training.ts'
import { findStage } from './loop-state.ts'

export interface PlannedStage extends Pick<LoopStage, 'id' | 'kind' | 'purpose' | 'object'> {
  round: number
  step?: number
}

const objects = {
  explore: 'run',
  evaluate: 'run',
  build: 'dataset',
  train: 'training',
  serve: 'endpoint',
} as const

export type LoopSoFar = Pick<Loop, 'request' | 'rounds'>

/**
 * Lists the stages of a round in order. Candidates appear once the round's training has ended: its checkpoints are
 * unknown before.
 */
export function stagesOf(loop: LoopSoFar, round: number): PlannedStage[] {
  const { request } = loop
  const stage = (
    id: string,
    kind: LoopStage['kind'],
    purpose: LoopStage['purpose'],
    step?: number,
  ): PlannedStage => ({
    id,
    kind,
    purpose,
    object: objects[kind],
    round,
    ...(step !== undefined && { step }),
  })
  if (round === 0) {
    const warm = request.settings.warm_start === 'sft'
    return [
      ...(needsExpertRows(request) ? [stage('build-experts', 'build', 'experts')] : []),
      ...(warm ? [stage('train-experts', 'train', 'experts')] : []),
      ...(warm || 'registered' in request.base ? [stage('serve', 'serve', 'round')] : []),
      stage('evaluate', 'evaluate', 'round'),
    ]
  }
  const steps = candidateSteps(loop, round)
  const withControl = request.control && round === 1
  return [
    stage('explore', 'explore', 'round'),
    stage('build', 'build', 'round'),
    stage('train', 'train', 'round'),
    ...(steps.length < 2
      ? []
      : steps.flatMap((step) => [
          stage(`serve-step-${step}`, 'serve', 'candidate', step),
          stage(`evaluate-step-${step}`, 'evaluate', 'candidate', step),
        ])),
    stage('serve', 'serve', 'round'),
    stage('evaluate', 'evaluate', 'round'),
    ...(withControl
      ? [
          stage('train-control', 'train', 'control'),
          stage('serve-control', 'serve', 'control'),
          stage('evaluate-control', 'evaluate', 'control'),
        ]
      : []),
  ]
}

export function needsExpertRows({ control, settings }: Pick<LoopRequest, 'control' | 'settings'>): boolean {
  const beside = settings.expert_rows ?? false
  return settings.warm_start === 'sft' || control || (Array.isArray(beside) ? beside.includes(true) : beside)
}

function candidateSteps({ request, rounds }: LoopSoFar, round: number): number[] {
  if (request.candidates < 2) return []
  const steps = findStage({ rounds }, round, 'train')?.facts.checkpoints
  const known = Array.isArray(steps) ? steps.filter((step) => typeof step === 'number') : []
  return known.slice(-request.candidates)
}

export function startRound({ best, request }: Pick<Loop, 'best' | 'request'>, round: number): number | null {
  switch (ofRound(request.settings.start_from, round) ?? 'previous') {
    case 'base':
      return null
    case 'best':
      return best?.round ?? round - 1
    case 'previous':
      return round - 1
  }
}

export function exploringRound({ best, request }: Pick<Loop, 'best' | 'request'>, round: number): number {
  const how = ofRound(request.settings.explore_with, round) ?? 'previous'
  return how === 'best' ? (best?.round ?? round - 1) : round - 1
}

export function startOf(
  { request }: Pick<Loop, 'request'>,
  { start }: Pick<LoopRound, 'start'>,
): TrainingBase {
  return start === null ? request.base : { registered: start }
}
