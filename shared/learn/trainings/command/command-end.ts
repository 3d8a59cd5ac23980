import type { TrainingReason } from '../../../core/contracts/training.ts'
import type { ReportedProgress } from '../program/progress-file.ts'
import type { TrainerExit } from '../program/trainer-process.ts'
import type { TrainerState } from '../trainer.ts'
import { findModel } from './find-model.ts'

const shownLines = 5

const causes: { pattern: RegExp; reason: TrainingReason; message: string }[] = [
  {
    pattern: /CUDA out of memory|OutOfMemoryError|\bMemoryError\b|Cannot allocate memory/,
    reason: 'out_of_memory',
    message: 'The trainer ran out of memory.',
  },
  {
    pattern: /No space left on device|ENOSPC|Disk quota exceeded/,
    reason: 'disk_full',
    message: 'The trainer could not write its files: the disk is full.',
  },
]

export async function judgeEnd(facts: {
  /** Null: still running. `gone`: an earlier service started it. */
  exit: TrainerExit | null | 'gone'
  end: ReportedProgress['end']
  wasAsked: boolean
  tail: readonly string[]
  output: string
}): Promise<Pick<TrainerState, 'state' | 'error'>> {
  const { exit, end, wasAsked, tail, output } = facts
  if (exit === null) return { state: 'running', error: null }
  if (end?.state === 'failed') {
    return { state: 'failed', error: { reason: end.reason, message: withLines(end.message, tail) } }
  }
  const isDone = exit !== 'gone' && exit.code === 0
  if (end?.state === 'succeeded' || (isDone && !wasAsked && end === null)) {
    const said = end?.state === 'succeeded' ? end.folder : null
    if ((await findModel(output, said)) !== null) return { state: 'succeeded', error: null }
    const message = `The command ended, and left no model in ${said ?? output}: a config.json or adapter_config.json with weights in .safetensors.`
    return { state: 'failed', error: { reason: 'trainer_failed', message: withLines(message, tail) } }
  }
  if (wasAsked || end?.state === 'stopped') return { state: 'stopped', error: null }
  if (exit === 'gone') return { state: 'absent', error: null }
  // A shell reports the signal of its child this way.
  if (exit.signal !== null || exit.code === 137 || exit.code === 143) return { state: 'died', error: null }
  const cause = causes.find(({ pattern }) => tail.some((line) => pattern.test(line)))
  const message = cause?.message ?? `The command ended with code ${exit.code}.`
  return {
    state: 'failed',
    error: { reason: cause?.reason ?? 'trainer_failed', message: withLines(message, tail) },
  }
}

export function unwritten(failure: Error): Pick<TrainerState, 'state' | 'error'> {
  const isFull = 'code' in failure && (failure.code === 'ENOSPC' || failure.code === 'EDQUOT')
  const message = `What the command reports could not be written: ${failure.message}`
  return { state: 'failed', error: { reason: isFull ? 'disk_full' : 'trainer_failed', message } }
}

function withLines(message: string, tail: readonly string[]): string {
  if (tail.length === 0) return message
  return `${message} Its last lines: ${tail.slice(-shownLines).join(' | ')}`
}
