import type { TrainingProgress, TrainingReason } from '../../../core/contracts/training.ts'
import type { TrainingJobFacts } from '../../../core/world/training-jobs.ts'
import type { ReportedProgress } from '../program/progress-file.ts'
import type { TrainerState } from '../trainer.ts'

export type StopMark = { at_once: boolean } | null

type Judgement = Pick<TrainerState, 'state' | 'error' | 'reached'>

/** Reasons by the program's exit code, for a program that could not write its reason. SageMaker quotes the code. */
const exitReasons: Record<number, TrainingReason> = {
  65: 'refused',
  71: 'not_finite',
  72: 'out_of_memory',
  74: 'disk_full',
}

export function judgeJob(
  job: TrainingJobFacts,
  reported: ReportedProgress | null,
  mark: StopMark,
): Judgement {
  // An earlier job's end does not concern this one.
  const end = reported?.job === job.name ? reported.end : null
  switch (job.status) {
    case 'running':
      return { state: 'running', error: null }
    case 'stopping':
      return { state: mark?.at_once === true ? 'cancelled' : 'running', error: null }
    case 'completed':
      if (end?.state === 'succeeded' || end?.state === 'stopped') return { state: end.state, error: null }
      return failed('trainer_failed', 'Its job has ended, and its program did not say that it was done.')
    case 'stopped':
      return judgeStopped(job, mark)
    case 'failed':
      return judgeFailed(job, end)
  }
}

function judgeStopped({ detail, settings }: TrainingJobFacts, mark: StopMark): Judgement {
  if (detail === 'MaxWaitTimeExceeded') {
    return failed(
      'trainer_failed',
      'No Spot capacity came in time. Resume it later, raise spot_wait in trainers.json, or set spot to false.',
    )
  }
  if (detail === 'MaxRuntimeExceeded') {
    const { cap } = settings
    return cap === 'cost_limit' || cap === 'time_limit'
      ? { state: 'stopped', error: null, reached: cap }
      : { state: 'stopped', error: null }
  }
  if (mark !== null) return { state: mark.at_once ? 'cancelled' : 'stopped', error: null }
  return {
    state: 'cancelled',
    error: { reason: 'trainer_failed', message: 'Its job was stopped at SageMaker.' },
  }
}

function judgeFailed({ failure }: TrainingJobFacts, end: ReportedProgress['end']): Judgement {
  const words = failure ?? 'SageMaker does not say why its job failed.'
  if (end?.state === 'failed') return failed(end.reason, words.includes(end.message) ? words : end.message)
  const code = Number(/exit code:? (\d+)/i.exec(words)?.[1] ?? 0)
  // A signal ended the program, for example because the machine ran out of memory.
  if (code > 128) return { state: 'died', error: null }
  return failed(exitReasons[code] ?? 'trainer_failed', words)
}

function failed(reason: TrainingReason, message: string): Judgement {
  return { state: 'failed', error: { reason, message } }
}

const withoutMachine = ['Starting', 'Pending', 'LaunchingMLInstances', 'PreparingTrainingStack']
const takenBack = ['Interrupted', 'Restarting']

export function progressOf(
  { detail, status }: TrainingJobFacts,
  reported: TrainingProgress,
  instance: string,
): TrainingProgress {
  if (status !== 'running') return reported
  if (withoutMachine.includes(detail)) {
    return { ...reported, phase: 'waiting', waiting_for: `a machine ${instance}` }
  }
  if (takenBack.includes(detail)) {
    return { ...reported, phase: 'waiting', waiting_for: `another machine ${instance}` }
  }
  return detail === 'Downloading' || detail === 'DownloadingTrainingImage'
    ? { ...reported, phase: 'preparing' }
    : reported
}

const billedSpans = ['Downloading', 'DownloadingTrainingImage', 'Training', 'Uploading']

/** Seconds of a job's work, and billed seconds. Both are equal until the job ends, when Spot may lower the latter. */
export function timesOf(job: TrainingJobFacts, now: number): { worked: number; billed: number } {
  const spans = job.spans.filter(({ detail }) => billedSpans.includes(detail))
  const seen = spans.reduce((sum, { began, ended }) => sum + ((ended ?? now) - began) / 1000, 0)
  const worked = job.worked ?? seen
  return { worked, billed: job.billed ?? worked }
}

export function interruptionsOf({ spans }: TrainingJobFacts): number {
  return spans.filter(({ detail }) => detail === 'Interrupted').length
}
