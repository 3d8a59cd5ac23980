import { rolloutRecipe } from './rollout-settings.ts'

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
