import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { TrainerInfo, TrainingRecipeInfo } from '../../../shared/core/contracts/training.ts'
import { Button } from '../../components/button.tsx'
import { BaseSection } from '../../components/form/base-section.tsx'
import { fieldErrors } from '../../components/form/field-errors.ts'
import { FormColumns } from '../../components/form/form-columns.tsx'
import { Refusal } from '../../components/form/refusal.tsx'
import { RequestText } from '../../components/form/request-text.tsx'
import { Section } from '../../components/section.tsx'
import { trainingAddress } from '../../format/addresses.ts'
import { api } from '../../service/api.ts'
import { useIdempotencyKey } from '../../service/use-idempotency-key.ts'
import { useRequestInAddress } from '../../service/use-request-in-address.ts'
import { DatasetsSection } from './datasets-section.tsx'
import { RecipeSection } from './recipe-section.tsx'
import { trainingCommand } from './training-command.ts'
import { isCompleteTraining, shareProblem, type TrainingDraft } from './training-draft.ts'
import { TrainingSettings } from './training-settings.tsx'

interface Offers {
  recipes: readonly TrainingRecipeInfo[]
  trainers: readonly TrainerInfo[]
}

export function TrainingForm({ start, offers }: { start: TrainingDraft; offers: Offers }) {
  const [begun] = useState(start)
  const [draft, setDraft] = useState(begun)
  const navigate = useNavigate()
  const key = useIdempotencyKey(draft)
  const sending = useMutation({
    mutationFn: (sent: { draft: TrainingDraft; key: string }) => api.createTraining(sent.draft, sent.key),
    onSuccess: ({ id }) => navigate(trainingAddress(id)),
  })
  // Stay sent until the training's page opens, so that an edit in between does not start a second training.
  const isSent = sending.isPending || sending.isSuccess
  useRequestInAddress(JSON.stringify(draft), draft !== begun && !isSent)
  const change = (next: TrainingDraft) => {
    setDraft(next)
    if (sending.isError) sending.reset()
  }
  const isComplete = isCompleteTraining(draft) && shareProblem(draft.datasets) === null
  const part = { draft, onChange: change, errors: fieldErrors(sending.error) }
  const recipes = recipesOf(offers, draft)
  const recipe = recipes.find(({ id }) => id === draft.recipe)
  return (
    <FormColumns
      onSubmit={() => isComplete && !isSent && sending.mutate({ draft, key })}
      beside={
        <>
          <Section title="Before anything is spent">
            <p className="soft">
              The request is checked at once. The tokenizer of the base measures every row before weights are
              loaded, and rows that are too long are refused unless the recipe says otherwise. What a training
              takes is not foreseen: limits bound it.
            </p>
          </Section>
          {sending.error !== null && <Refusal error={sending.error} />}
          <Button type="submit" kind="primary" disabled={!isComplete || isSent}>
            {isSent ? 'Sending …' : 'Begin the training'}
          </Button>
          {!isComplete && <p className="soft">Choose a base and at least one dataset.</p>}
        </>
      }
      below={
        <RequestText
          path="/v1/trainings"
          body={draft as JsonObject}
          command={trainingCommand(draft, location.origin)}
        />
      }
    >
      <BaseSection base={draft.base} errors={part.errors} onChange={(base) => change({ ...draft, base })} />
      <RecipeSection {...part} recipes={recipes} />
      <DatasetsSection {...part} recipe={recipe} />
      <TrainingSettings {...part} trainers={offers.trainers} />
    </FormColumns>
  )
}

function recipesOf(
  { recipes, trainers }: Offers,
  { trainer = 'local' }: TrainingDraft,
): readonly TrainingRecipeInfo[] {
  const own = trainers.find(({ id }) => id === trainer)?.hyperparameters ?? {}
  return recipes.map((recipe) => ({ ...recipe, hyperparameters: own[recipe.id] ?? recipe.hyperparameters }))
}
