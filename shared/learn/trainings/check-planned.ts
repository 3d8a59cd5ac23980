import { EspalierError } from '../../core/contracts/errors.ts'
import type { PlannedTraining } from '../../core/contracts/training.ts'
import { settleTrainer, type TrainingPlanNeeds } from './plan-job.ts'

const supposedRows = 1000

/**
 * Checks a training as far as possible before its dataset exists, as its creation will.
 *
 * @throws EspalierError naming the field of the request; `format` if the trainer does not read it
 */
export async function checkPlanned(
  needs: Pick<TrainingPlanNeeds, 'trainers' | 'folders'>,
  planned: PlannedTraining,
): Promise<void> {
  const { base, checkpoint_steps = null, data, lora, recipe, seed } = planned
  const { trainer, hyperparameters } = settleTrainer(needs, planned)
  if (!trainer.info.formats.includes(data.format)) {
    throw new EspalierError(
      'invalid_request',
      `The trainer "${planned.trainer}" does not read "${data.format}". It reads: ${trainer.info.formats.join(', ')}.`,
      { param: 'format' },
    )
  }
  // The files of a registered base reach a folder when the training begins. They are checked then.
  if ('registered' in base) return
  const file = { name: 'data-00001.jsonl', key: '', sha256: '', rows: supposedRows }
  await trainer.check({
    recipe,
    base,
    data: [{ dataset: '', split: 'train', ...data, share: null, files: [file] }],
    hyperparameters,
    lora,
    seed,
    checkpointSteps: checkpoint_steps,
    keepCheckpoints: 1,
    limits: { cost: null, seconds: null },
  })
}
