import { EspalierError } from '../../core/contracts/errors.ts'
import { type ModelChoice, modelChoiceSchema, type RoleChoice } from '../../core/contracts/model-choice.ts'
import type { RunRequest } from '../../core/contracts/run.ts'

/**
 * The model to ask for a dataset: the request's own settings, then the first run's `verifier`, then its `model`.
 *
 * @param first - the request of the dataset's first run; null if it is built from imports alone
 * @throws EspalierError `invalid_request` if nothing names a model
 */
export function annotationModel(
  asked: RoleChoice | undefined,
  first: Pick<RunRequest, 'model' | 'roles'> | null,
): ModelChoice {
  const choice = [first?.roles.verifier, asked].reduce(inPlaceOf, { ...first?.model })
  if (choice.endpoint === undefined || choice.id === undefined) {
    throw new EspalierError(
      'invalid_request',
      'A model is asked about these trajectories, and no run says which. Name one by model.endpoint and model.id; The list of models has the endpoints.',
      { param: 'model' },
    )
  }
  return modelChoiceSchema.parse(choice)
}

/** Merges two choices, the second over the first. Another model has another tokenizer. */
function inPlaceOf(before: RoleChoice, own: RoleChoice = {}): RoleChoice {
  const { tokenizer: _, ...rest } = before
  const isOther = own.endpoint !== undefined || own.id !== undefined
  return { ...(isOther ? rest : before), ...own }
}
