import { ofRound } from '../../../core/contracts/loop-settings.ts'
import { type LoopRecipe, stated, withCommon } from './recipe.ts'

const shell = 'ETO, run_eto.sh'

export const etoRecipe: LoopRecipe = {
  id: 'eto',
  title: 'Exploration-based trajectory optimization: fail, compare with the expert, DPO',
  paper:
    'Song et al. 2024, Trial and Error: Exploration-Based Trajectory Optimization for LLM Agents (arXiv 2403.02502)',
  kind: 'preference',
  training: 'dpo',
  pairsWithExperts: true,
  preset: { id: 'eto', fields: ['model.max_tokens', 'model.stop', 'environment_options'] },
  settings: withCommon([
    { field: 'rounds', value: 3, source: `${shell}: iterations 1 to 3` },
    { field: 'warm_start', value: 'sft', source: `${shell}: SFT on the expert's trajectories comes first` },
    {
      field: 'start_from',
      value: 'previous',
      source: `${shell}: policy and reference are the current model`,
    },
    {
      field: 'method',
      value: { id: 'react' },
      source: 'ETO, eval_agent: one sample a step, Thought and Action',
    },
    { field: 'samples', value: 1, source: `${shell}: one rollout of each training task` },
    { field: 'temperature', value: 0, source: `${shell}: --agent_config fastchat, temperature 0.0` },
    { field: 'evaluation_method', value: { id: 'react' }, source: `${shell}: as it explores` },
    {
      field: 'evaluation_temperature',
      value: 0,
      source: `${shell}: --agent_config fastchat, temperature 0.0`,
    },
    { field: 'margin', value: 0, source: 'ETO, construct_preference.py: strictly better, no margin' },
    { field: 'learning_rate', value: [1e-6, 5e-7, 5e-7], source: `${shell}: by iteration` },
    { field: 'dpo_beta', value: [0.1, 0.5, 0.5], source: `${shell}: by iteration` },
    { field: 'epochs', value: 3, source: `${shell}: 3 epochs of DPO` },
    {
      field: 'hyperparameters',
      value: {
        batch_size: 32,
        warmup: 0.1,
        schedule: 'constant_with_warmup',
        max_length: 4096,
        long_rows: 'truncate',
        loss_on: 'answers',
      },
      source: `${shell}: 4 GPUs x 2 x 4 pairs, warm-up 0.1, constant_with_warmup, 4096 tokens; train_dpo.py cuts longer rows at their end and learns the agent's turns alone`,
    },
    {
      field: 'warm_start_hyperparameters',
      value: {
        epochs: 3,
        learning_rate: 2e-5,
        batch_size: 64,
        warmup: 0.03,
        schedule: 'cosine',
        max_length: 4096,
        long_rows: 'truncate',
      },
      source: `${shell}: the SFT stage; train.py cuts longer rows at their end`,
    },
  ]),
  deviations: [
    'Runs are laid out as `method` says: experts that were imported from ETO’s files need method.style and method.layout "eto".',
    'A rollout that crashed gives no pair; the script counts it as a failure in household games.',
    'The script measures the test tasks alone and takes the last checkpoint; so does this, unless `candidates` is above 1.',
  ],
  parameters: ({ margin, kind_parameters }, round) => ({
    against: 'expert',
    ...stated({ margin: ofRound(margin, round) }),
    ...kind_parameters,
  }),
}
