import type { TrainingProgress, TrainingReason } from '../../contracts/training.ts'
import type { TrainingJobFacts } from '../../world/training-jobs.ts'
import type { ReportedProgress } from '../program/progress-file.ts'
import type { TrainerState } from '../trainer.ts'

/** How this service asked a job to leave; null: it did not. */
export type StopMark = { at_once: boolean } | null

type Judgement = Pick<TrainerState, 'state' | 'error' | 'reached'>

/** What the program's exit says where it could not write why it ended; SageMaker quotes it. */
const exitReasons: Record<number, TrainingReason> = {
  65: 'refused',
  71: 'not_finite',
  72: 'out_of_memory',
  74: 'disk_full',
}

/** How a training stands by its last job, and what its program said of that. */
export function judgeJob(
  job: TrainingJobFacts,
  reported: ReportedProgress | null,
  mark: StopMark,
): Judgement {
  // What an earlier job said of its end is not about this one.
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
  // A signal ended the program, as where the machine had no memory left.
  if (code > 128) return { state: 'died', error: null }
  return failed(exitReasons[code] ?? 'trainer_failed', words)
}

function failed(reason: TrainingReason, message: string): Judgement {
  return { state: 'failed', error: { reason, message } }
}

/** What a job is at, before and beside its program: SageMaker's words of it. */
const withoutMachine = ['Starting', 'Pending', 'LaunchingMLInstances', 'PreparingTrainingStack']
const takenBack = ['Interrupted', 'Restarting']

/** The progress with what only SageMaker knows of it. */
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

/** What SageMaker bills: the machine's time, without the waits for it. */
const billedSpans = ['Downloading', 'DownloadingTrainingImage', 'Training', 'Uploading']

/** Seconds of work of a job, and those that are paid. Until it has ended the latter are as many, which Spot makes fewer. */
export function timesOf(job: TrainingJobFacts, now: number): { worked: number; billed: number } {
  const spans = job.spans.filter(({ detail }) => billedSpans.includes(detail))
  const seen = spans.reduce((sum, { began, ended }) => sum + ((ended ?? now) - began) / 1000, 0)
  const worked = job.worked ?? seen
  return { worked, billed: job.billed ?? worked }
}

export function interruptionsOf({ spans }: TrainingJobFacts): number {
  return spans.filter(({ detail }) => detail === 'Interrupted').length
}
