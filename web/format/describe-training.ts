import { formatCount } from '../../shared/core/client/format-quantity.ts'
import { workWord } from '../../shared/core/client/status-words.ts'
import type { Training } from '../../shared/core/contracts/training.ts'

const phases: Record<Training['progress']['phase'], string> = {
  waiting: 'Waiting for the trainer',
  preparing: 'Writing its files',
  starting: 'Starting the trainer',
  checking: 'Measuring the rows',
  loading: 'Loading the weights',
  training: 'Training',
  saving: 'Saving',
  registering: 'Registering the model',
  done: 'Done',
}

type Described = Pick<Training, 'progress' | 'status'>

export function isTraining({ status }: Pick<Training, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

export function describeTraining({ progress, status }: Described): { share: number; text: string } {
  const { phase, step, steps, waiting_for } = progress
  const share = steps === 0 ? 0 : Math.min(1, step / steps)
  const counted = steps === 0 ? '' : `: step ${formatCount(step)} of ${formatCount(steps)}`
  if (waiting_for !== null && isTraining({ status }))
    return { share, text: `Waiting for ${waiting_for}${counted}` }
  if (status === 'running') return { share, text: `${phases[phase]}${counted}` }
  if (status === 'queued') return { share, text: `Waiting for a worker${counted}` }
  const word = workWord(status)
  return { share, text: `${word[0]?.toUpperCase()}${word.slice(1)}${counted}` }
}

export function trainingRefusals({ status }: Pick<Training, 'status'>): {
  pause: string | null
  resume: string | null
  cancel: string | null
} {
  const isOver = status === 'succeeded' || status === 'cancelled'
  const ended = isOver ? `The training has ended: it is ${workWord(status)}.` : null
  const isHalted = status === 'paused' || status === 'failed'
  return {
    pause: ended ?? (isHalted ? `The training is ${workWord(status)} already.` : null),
    resume: ended ?? (isHalted ? null : 'The training is under way.'),
    cancel: ended,
  }
}
