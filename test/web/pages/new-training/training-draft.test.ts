import { expect, test } from 'vitest'
import { trainingRequestSchema } from '../../../../shared/core/contracts/training.ts'
import { describeRecipes } from '../../../../shared/learn/trainings/recipes.ts'
import {
  isCompleteTraining,
  shareProblem,
  startOfTraining,
  type TrainingDraft,
  withDatasets,
  withRecipe,
} from '../../../../web/pages/new-training/training-draft.ts'

const recipes = describeRecipes()
const recipeOf = (id: string) => recipes.find((recipe) => recipe.id === id) as (typeof recipes)[number]
const draft: TrainingDraft = {
  base: { registered: 'model-1' },
  recipe: 'sft',
  datasets: [{ dataset: 'dataset-1', share: 0.5 }],
}

test('without a request the form begins with the datasets of the address, and is not complete', () => {
  const begun = startOfTraining(null, ['dataset-1'], recipes)
  expect(begun).toEqual({ base: { registered: '' }, recipe: 'sft', datasets: [{ dataset: 'dataset-1' }] })
  expect(isCompleteTraining(begun)).toBe(false)
  expect(isCompleteTraining(draft)).toBe(true)
  expect(isCompleteTraining({ ...draft, datasets: [] })).toBe(false)
})

test('of another training’s request only what differs from its recipe’s defaults is chosen', () => {
  const { properties } = recipeOf('sft').hyperparameters as {
    properties: Record<string, { default?: number }>
  }
  const hyperparameters = { epochs: 7, learning_rate: properties.learning_rate?.default as number }
  const begun = startOfTraining({ ...draft, hyperparameters } as never, [], recipes)
  expect(begun.hyperparameters).toEqual({ epochs: 7 })
  expect(begun.datasets).toEqual(draft.datasets)
  expect(trainingRequestSchema.safeParse(begun).success).toBe(true)
})

test('another recipe keeps the hyperparameters that it has too', () => {
  const dpo = withRecipe(
    { ...draft, recipe: 'dpo', hyperparameters: { epochs: 2, beta: 0.3 } },
    recipeOf('sft'),
  )
  expect(dpo).toMatchObject({ recipe: 'sft', hyperparameters: { epochs: 2 } })
  expect(dpo.hyperparameters).not.toHaveProperty('beta')
})

test('datasets that stay keep their shares', () => {
  expect(withDatasets(draft, ['dataset-2', 'dataset-1']).datasets).toEqual([
    { dataset: 'dataset-2' },
    { dataset: 'dataset-1', share: 0.5 },
  ])
})

test('shares are said for every dataset or for none, each above 0 and at most 1', () => {
  const problem = (...shares: (number | undefined)[]) =>
    shareProblem(
      shares.map((share, index) => ({ dataset: `dataset-${index}`, ...(share !== undefined && { share }) })),
    )
  expect(problem(undefined, undefined)).toBeNull()
  expect(problem(0.5, 1)).toBeNull()
  expect(problem(0.5, undefined)).toBe('Say the share of every dataset, or of none.')
  expect(problem(0, 1)).toBe('A share is above 0 and at most 1.')
  expect(problem(1.5, 1)).toBe('A share is above 0 and at most 1.')
})
