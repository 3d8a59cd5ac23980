import type { TrainingReason } from '../../core/contracts/training.ts'
import type { TrainingAdvanceNeeds } from './advance-training.ts'
import type { TrainingPlan } from './plan-job.ts'
import type { TrainerJob } from './trainer.ts'
import { releaseAccelerator } from './training-accelerator.ts'
import type { TrainingState } from './training-ledger.ts'

const open = ['queued', 'running'] as const

export async function pauseTraining(needs: TrainingAdvanceNeeds, state: TrainingState): Promise<null> {
  const { id, request, usage } = state.training
  const reason = state.wanted_because ?? 'asked'
  const words: Partial<Record<TrainingReason, string>> = {
    cost_limit: `It has cost $${usage.cost.toFixed(4)}, and limits.cost is $${request.limits.cost}. Resume it with a higher one.`,
    time_limit: `It has worked for ${Math.round(usage.seconds)} seconds, and limits.time is ${request.limits.time}. Resume it with a higher one.`,
  }
  await needs.ledger.change(id, open, {
    status: 'paused',
    reason,
    error: words[reason] ?? null,
    wanted: null,
    wanted_because: null,
  })
  await releaseTrainer(needs, state)
  return null
}

export async function cancelTraining(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  { trainer }: TrainingPlan,
  job: TrainerJob,
): Promise<null> {
  await trainer.stop(job, { atOnce: true })
  await needs.ledger.change(state.training.id, open, {
    status: 'cancelled',
    wanted: null,
    ...endedNow(needs),
  })
  await releaseTrainer(needs, state)
  await needs.checkpoints.remove(job.training, state.training.checkpoints)
  await trainer.release(job.training)
  return null
}

export async function failTraining(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  reason: TrainingReason,
  error: string,
): Promise<null> {
  await needs.ledger.change(state.training.id, open, {
    status: 'failed',
    reason,
    error,
    wanted: null,
    wanted_because: null,
    ...endedNow(needs),
  })
  await releaseTrainer(needs, state)
  return null
}

export function endedNow({ world }: TrainingAdvanceNeeds): { ended_at: string } {
  return { ended_at: new Date(world.clock.now()).toISOString() }
}

export async function releaseTrainer(
  needs: TrainingAdvanceNeeds,
  { training }: TrainingState,
): Promise<void> {
  const { trainer } = training.request
  await needs.ledger.release(trainer, needs.plan.trainers.get(trainer)?.atOnce ?? 0, training.id)
  await releaseAccelerator(needs, training)
}
