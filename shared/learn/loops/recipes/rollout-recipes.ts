import { type LoopRecipe, type RecipeSetting, withCommon } from './recipe.ts'

const shao = 'Shao et al. 2024'

/** The recipes that learn from the tokens of rollouts: only their play and their credit differ. */
function rolloutRecipe(
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

export const grpoRecipe = rolloutRecipe(
  {
    id: 'grpo',
    title: 'Chains: compare trajectories of a task, policy gradient',
    paper: 'Shao et al. 2024, DeepSeekMath (arXiv 2402.03300): group relative policy optimization',
  },
  'grpo',
  [
    {
      field: 'method',
      value: { id: 'fork-rollouts', chains: 8, forks: 0, fork_by: 'random' },
      source: 'own choice: a group of 8 chains, where the paper has 64 answers of one turn',
    },
    { field: 'samples', value: 1, source: 'own choice: one episode holds the group' },
  ],
)

const ji = 'Ji et al. 2025'

export const treeGrpoRecipe = rolloutRecipe(
  {
    id: 'tree-grpo',
    title: 'Trees: compare branches within a tree and between trees, policy gradient',
    paper: 'Ji et al. 2025, Tree Search for LLM Agent Reinforcement Learning (arXiv 2509.21240)',
  },
  'tree-grpo',
  [
    {
      field: 'method',
      value: { id: 'fork-rollouts', chains: 1, forks: 3, fork_by: 'random' },
      source: `${ji}: nodes to expand are drawn at random; the numbers are an own choice, 8 branches of a task`,
    },
    { field: 'samples', value: 2, source: `${ji}: two trees of a task` },
  ],
)
