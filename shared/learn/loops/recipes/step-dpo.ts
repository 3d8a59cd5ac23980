import { ofRound } from '../../../core/contracts/loop-settings.ts'
import { type LoopRecipe, stated, withCommon } from './recipe.ts'

const paper = 'Xie et al. 2024'

export const stepDpoRecipe: LoopRecipe = {
  id: 'step-dpo',
  title: 'Step preferences: search, prefer siblings of higher value, DPO',
  paper:
    'Xie et al. 2024, Monte Carlo Tree Search Boosts Reasoning via Iterative Preference Learning (arXiv 2405.00451); for agents Putta et al. 2024, Agent Q (arXiv 2408.07199)',
  kind: 'step-preference',
  training: 'dpo',
  pairsWithExperts: false,
  settings: withCommon([
    { field: 'rounds', value: 3, source: 'own choice, as ETO and Agent-R' },
    { field: 'warm_start', value: 'none', source: `${paper}: a model that was tuned before` },
    { field: 'start_from', value: 'previous', source: `${paper}: each round updates the current policy` },
    {
      field: 'method',
      value: { id: 'mcts', value: 'none', iterations: 8, samples: 4, max_depth: 20 },
      source: 'own choice: the search of Agent-R, whose values are rewards of whole paths',
    },
    { field: 'samples', value: 1, source: 'own choice: one tree of each training task' },
    { field: 'temperature', value: 1, source: 'own choice, as Agent-R' },
    { field: 'evaluation_method', value: { id: 'react' }, source: 'own choice: without a search' },
    { field: 'evaluation_temperature', value: 0, source: 'own choice: greedy' },
    { field: 'margin', value: 0.2, source: 'Agent-R’s beta, held against siblings' },
    { field: 'learning_rate', value: [1e-6, 5e-7, 5e-7], source: 'own choice, as ETO by iteration' },
    { field: 'dpo_beta', value: 0.1, source: 'own choice, as ETO’s first iteration' },
    { field: 'epochs', value: 1, source: 'own choice: pairs are many and alike' },
  ]),
  deviations: [
    'The paper weighs pairs by visits and adds its own evaluation of steps; here a pair is two siblings whose values differ by more than the margin.',
  ],
  parameters: ({ margin, kind_parameters }, round) => ({
    ...stated({ margin: ofRound(margin, round) }),
    ...kind_parameters,
  }),
}
