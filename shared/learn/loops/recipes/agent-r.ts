import { ofRound } from '../../../core/contracts/loop-settings.ts'
import { type LoopRecipe, stated, withCommon } from './recipe.ts'

const paper = 'Yuan et al. 2025, Agent-R, experimental settings'
const code = 'Agent-R, code'

export const agentRRecipe: LoopRecipe = {
  id: 'agent-r',
  title: 'Agent-R: search, splice bad beginnings with good ends, fine-tune',
  paper:
    'Yuan et al. 2025, Agent-R: Training Language Model Agents to Reflect via Iterative Self-Training (arXiv 2501.11425)',
  kind: 'revision',
  training: 'sft',
  pairsWithExperts: false,
  preset: { id: 'agent-r', fields: ['method', 'model.max_tokens', 'environment_options'] },
  settings: withCommon([
    { field: 'rounds', value: 3, source: `${paper}: 3 iterations` },
    { field: 'warm_start', value: 'none', source: `${paper}: the first iteration is the cold start` },
    { field: 'start_from', value: 'previous', source: `${paper}: one epoch more in each later iteration` },
    {
      field: 'method',
      value: { id: 'mcts', value: 'none', iterations: 8, samples: 4, max_depth: 20, style: 'agent-r' },
      source: `${paper}: k = 8 rollouts, 4 candidates per node, depth 20; no value model; more in the preset agent-r`,
    },
    { field: 'samples', value: 1, source: `${code}: one tree of each training task` },
    { field: 'temperature', value: 1, source: `${code}: TEMP 1` },
    {
      field: 'evaluation_method',
      value: { id: 'react', style: 'agent-r' },
      source: `${code}, eval.py: one answer a step`,
    },
    { field: 'evaluation_temperature', value: 1, source: `${code}, eval.py: TEMP 1, as it collects` },
    { field: 'alpha', value: [0.5, 0.7, 1], source: `${paper}: alpha by iteration` },
    { field: 'beta', value: 0.2, source: `${paper}: beta 0.2` },
    {
      field: 'kind_parameters',
      value: { alpha_inclusive: true, include_good: true },
      source: `${paper}: good trajectories are mixed in; alpha 1 needs equality`,
    },
    { field: 'general_share', value: 0.2, source: `${paper}: ShareGPT mixed in with ratio 0.2` },
    { field: 'learning_rate', value: 2e-5, source: `${paper}: learning rate 2e-5` },
    { field: 'epochs', value: [3, 1, 1], source: `${paper}: 3 epochs in iteration 1, then 1` },
    {
      field: 'hyperparameters',
      value: { warmup: 0.03, schedule: 'cosine', max_length: 8192 },
      source: `${paper}: 3 % warm-up, cosine, 8192 tokens`,
    },
  ]),
  deviations: [
    'Without conversations in `general` nothing is mixed in.',
    'The first error of a bad path is found by the model of the round, as the code does it, and costs a call for each step.',
    'At most 32 pairs of one tree are drawn, unless kind_parameters.max_per_tree says otherwise; the code takes all.',
  ],
  parameters: ({ alpha, beta, kind_parameters }, round) => ({
    ...stated({ alpha: ofRound(alpha, round), beta: ofRound(beta, round) }),
    ...kind_parameters,
  }),
}
