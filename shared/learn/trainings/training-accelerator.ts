import type { Training } from '../../core/contracts/training.ts'
import { type AcceleratorHolder, renewEvery } from '../registry/accelerators.ts'
import type { TrainingAdvanceNeeds } from './advance-training.ts'
import type { Trainer } from './trainer.ts'
import type { TrainingState } from './training-ledger.ts'

export function renewAccelerator(
  { accelerators, plan }: TrainingAdvanceNeeds,
  { training }: TrainingState,
): () => void {
  const device = plan.trainers.get(training.request.trainer)?.accelerator ?? null
  if (device === null) return () => {}
  // If a renewal fails, the next one or the next step replaces it.
  const keep = () => accelerators.keep(device, holderOf(training)).catch(() => false)
  const renewal = setInterval(keep, renewEvery)
  return () => clearInterval(renewal)
}

const holderOf = ({ id }: Training): AcceleratorHolder => `training/${id}`

export async function takeAccelerator(
  { accelerators, ledger }: TrainingAdvanceNeeds,
  { training }: TrainingState,
  { accelerator }: Trainer,
): Promise<boolean> {
  if (accelerator === null || (await accelerators.take(accelerator, holderOf(training)))) return true
  const waiting_for = await accelerators.describe(accelerator)
  await ledger.change(training.id, ['queued', 'running'], {
    progress: { ...training.progress, phase: 'waiting', waiting_for },
  })
  return false
}

export async function releaseAccelerator(
  { accelerators, plan }: TrainingAdvanceNeeds,
  training: Training,
): Promise<void> {
  const device = plan.trainers.get(training.request.trainer)?.accelerator ?? null
  if (device !== null) await accelerators.release(device, holderOf(training))
}
