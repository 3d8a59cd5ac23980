import { ofRound } from '../../../core/contracts/loop-settings.ts'
import { type LoopRecipe, stated, withCommon } from './recipe.ts'

const code = 'ExACT, branch vwa, tree_to_data.py'

export const exploratoryRecipe: LoopRecipe = {
  id: 'exploratory',
  title: 'Exploratory learning: imitate the search itself, ways back included',
  paper: 'Yu et al. 2024, ExACT (arXiv 2410.02052), section 3.3',
  kind: 'exploration',
  training: 'sft',
  pairsWithExperts: false,
  settings: withCommon([
    { field: 'rounds', value: 1, source: `${code}: one round` },
    { field: 'warm_start', value: 'none', source: 'ExACT: GPT-4o is tuned as it is' },
    { field: 'start_from', value: 'previous', source: 'ExACT: the model that searched is tuned' },
    {
      field: 'method',
      value: { id: 'rmcts', value: 'debate' },
      source: 'ExACT: rmcts_mad, with the defaults that the method has from the paper',
    },
    { field: 'samples', value: 1, source: 'ExACT: one search of each task' },
    { field: 'temperature', value: 1, source: 'ExACT, script of rmcts_mad: temperature 1.0' },
    {
      field: 'evaluation_method',
      value: { id: 'react' },
      source: 'ExACT: ReAct with the tuned model',
    },
    { field: 'evaluation_temperature', value: 1, source: 'ExACT: temperature 1.0' },
    { field: 'min_reward', value: null, source: `${code}: tasks whose score is 1.0; here, what was solved` },
    { field: 'general_share', value: null, source: 'own choice: open unless conversations are named' },
    {
      field: 'learning_rate',
      value: null,
      source: 'as the training recipe sft has it: the paper uses a service',
    },
    { field: 'epochs', value: null, source: 'as the training recipe sft has it: the paper uses a service' },
  ]),
  deviations: [
    'The paper gives the tuned model more steps than before: set evaluation_method.max_steps, 15 there.',
    'Turns give the nearest of the judges’ reasons; kind_parameters.choose and rewrite "model" ask a model for them, as the paper does.',
    'The paper keeps 30 episodes of a site; here all searches that solved their task give rows.',
  ],
  parameters: ({ min_reward, kind_parameters }, round) => ({
    ...stated({ min_reward: ofRound(min_reward, round) }),
    ...kind_parameters,
  }),
}
