import { type LoopRecipe, type RecipeSetting, withCommon } from './recipe.ts'

const shao = 'Shao et al. 2024'

/** The recipes that learn from the tokens of rollouts: only their play and their credit differ. */
export function rolloutRecipe(
  { id, paper, title }: Pick<LoopRecipe, 'id' | 'paper' | 'title'>,
  advantage: 'grpo' | 'tree-grpo',
  played: readonly RecipeSetting[],
): LoopRecipe {
  return {
    id,
    title,
    paper,
    kind: 'rollouts',
    training: 'policy-gradient',
    pairsWithExperts: false,
    settings: withCommon([
      { field: 'rounds', value: 3, source: 'own choice: the papers take hundreds of small steps' },
      { field: 'warm_start', value: 'none', source: `${shao}: a model that was tuned before` },
      { field: 'start_from', value: 'previous', source: `${shao}: the policy that sampled is updated` },
      ...played,
      {
        field: 'token_budget',
        value: null,
        source: 'own choice: open, so that the method’s parameters decide',
      },
      { field: 'temperature', value: 1, source: `${shao}: samples of the policy itself` },
      { field: 'evaluation_method', value: { id: 'react' }, source: 'own choice: without a search' },
      { field: 'evaluation_temperature', value: 0, source: 'own choice: greedy' },
      { field: 'learning_rate', value: 1e-6, source: `${shao}: learning rate 1e-6` },
      { field: 'epochs', value: 1, source: `${shao}: one update of each answer` },
    ]),
    deviations: [
      'A round plays all of its tasks before it trains, so later batches of a training are off-policy: their log-probabilities at play are in the ratio.',
      'The divergence is measured from the model that a round starts from, not from the base.',
    ],
    parameters: ({ kind_parameters }) => ({ advantage, ...kind_parameters }),
  }
}
