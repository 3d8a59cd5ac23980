import type { RunAction } from '../../../shared/core/client/play-calls.ts'
import { workWord } from '../../../shared/core/client/status-words.ts'
import { asksAModel } from '../../../shared/core/contracts/annotated-dataset.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { hasEnded } from '../../service/follow-run.ts'

export function allowedActions(run: Run): Record<RunAction, string | null> {
  const isPaused = run.status === 'paused'
  const ended = hasEnded(run) ? `The run has ended: it is ${workWord(run.status)}.` : null
  const isOver = run.status === 'succeeded' || run.status === 'failed'
  const notOver = isOver ? null : 'Only a run that has ended without being cancelled can be continued.'
  return {
    pause: ended ?? (isPaused ? 'The run is paused already.' : null),
    resume: isPaused ? null : (ended ?? 'The run is not paused.'),
    cancel: ended,
    extend: notOver ?? (asksAModel(run) ? 'The run asks a model about other episodes, and no more.' : null),
    retry: notOver ?? (run.episodes.errored === 0 ? 'No episode ended with an error.' : null),
  }
}
