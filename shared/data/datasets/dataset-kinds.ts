import { EspalierError } from '../../core/contracts/errors.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import type { DatasetKind } from './kind.ts'
import { exploration } from './kinds/exploration/exploration.ts'
import { preference } from './kinds/preference.ts'
import { processReward } from './kinds/process-reward.ts'
import { prompts } from './kinds/prompts.ts'
import { revision } from './kinds/revision/revision.ts'
import { rolloutTrees } from './kinds/rollouts/rollout-trees.ts'
import { tokenRollouts } from './kinds/rollouts/rollouts.ts'
import { sft } from './kinds/sft.ts'
import { stepPreference } from './kinds/step-preference.ts'
import { unpaired } from './kinds/unpaired.ts'

export const datasetKinds: readonly DatasetKind[] = [
  sft,
  preference,
  stepPreference,
  revision,
  exploration,
  unpaired,
  processReward,
  prompts,
  tokenRollouts,
  rolloutTrees,
]

/** @throws EspalierError for an unknown kind */
export function findKind(id: string): DatasetKind {
  const kind = datasetKinds.find((each) => each.id === id)
  if (kind) return kind
  const known = datasetKinds.map((each) => each.id)
  throw new EspalierError('invalid_request', unknownName('There is no dataset kind', id, known), {
    param: 'kind',
  })
}
