import { ofRound } from '../../../core/contracts/loop-settings.ts'
import { type LoopRecipe, stated, withCommon } from './recipe.ts'

const paper = 'Yuan et al. 2023'

export const rftRecipe: LoopRecipe = {
  id: 'rft',
  title: 'Rejection sampling: sample, keep what solved its task, fine-tune',
  paper:
    'Yuan et al. 2023, Scaling Relationship on Learning Mathematical Reasoning with Large Language Models (arXiv 2308.01825); for agents the baseline RFT of Song et al. 2024, ETO (arXiv 2403.02502)',
  kind: 'sft',
  training: 'sft',
  pairsWithExperts: false,
  settings: withCommon([
    { field: 'rounds', value: 3, source: 'own choice: the paper makes one, ETO three of its own' },
    { field: 'warm_start', value: 'none', source: `${paper}: the model that samples was tuned before` },
    { field: 'start_from', value: 'base', source: `${paper}: the base is tuned anew on old and new rows` },
    { field: 'expert_rows', value: true, source: `${paper}: sampled rows are added to the given ones` },
    { field: 'method', value: { id: 'react' }, source: 'ETO: one sample a step, Thought and Action' },
    {
      field: 'samples',
      value: 4,
      source: `own choice: ${paper} draws 100 of a question, where a trajectory here is many calls`,
    },
    { field: 'temperature', value: 0.7, source: `${paper}: temperature 0.7` },
    { field: 'evaluation_method', value: { id: 'react' }, source: 'ETO: as it explores' },
    { field: 'evaluation_temperature', value: 0, source: `${paper}: greedy answers are measured` },
    { field: 'min_reward', value: null, source: `${paper}: what is correct; here, what solved its task` },
    { field: 'general_share', value: null, source: 'own choice: open unless conversations are named' },
    { field: 'learning_rate', value: null, source: 'as the training recipe sft has it' },
    { field: 'epochs', value: 3, source: `${paper}: 3 epochs` },
  ]),
  deviations: [
    'The paper keeps one sample of each distinct list of equations; here equal rows are dropped, and the others stay.',
  ],
  parameters: ({ min_reward, kind_parameters }, round) => ({
    ...stated({ min_reward: ofRound(min_reward, round) }),
    ...kind_parameters,
  }),
}
