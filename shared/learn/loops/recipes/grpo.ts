import { rolloutRecipe } from './rollout-settings.ts'

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
