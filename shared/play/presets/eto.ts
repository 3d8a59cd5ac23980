import { ownWording, type Preset } from '../../core/contracts/preset.ts'

const code = 'ETO, eval_agent'
const agent = 'ETO, configs/model/fastchat'

// The evaluation of ETO; its exploration plays the same way.
export const etoPreset: Preset = {
  id: 'eto',
  title: 'One greedy trajectory, as ETO explores and evaluates',
  paper:
    'Song et al. 2024, Trial and Error: Exploration-Based Trajectory Optimization for LLM Agents (arXiv 2403.02502)',
  source: 'The ETO repository at a2fc5da: eval_agent with its task and model configurations.',
  environments: ['webshop', 'scienceworld', 'alfworld'],
  settings: [
    {
      field: 'tasks.split',
      value: 'test',
      source: `${code}: --split test`,
      environments: ['webshop', 'scienceworld'],
    },
    {
      field: 'tasks.split',
      value: 'valid_unseen',
      source: `${code}: test is eval_out_of_distribution, 134 games`,
      environments: ['alfworld'],
    },
    { field: 'method.id', value: 'react', source: `${code}: one sample a step, Thought and Action` },
    { field: 'method.max_steps', value: 10, source: `${code}: max_steps 10`, environments: ['webshop'] },
    { field: 'method.max_steps', value: 40, source: `${code}: max_steps 40`, environments: ['alfworld'] },
    {
      field: 'method.style',
      value: 'eto',
      source: `${code}: the first match of Action:, with all that follows`,
    },
    {
      field: 'method.layout',
      value: 'eto',
      source: `${code}: instruction, OK, the example as turns, Observation: before observations`,
    },
    {
      field: 'model.stop',
      value: ['\nObservation:', '\nTask:', '\n---'],
      source: `${agent}: stop strings`,
    },
    { field: 'model.temperature', value: 0, source: `${agent}: temperature 0.0` },
    { field: 'model.top_p', value: 1, source: `${agent}: greedy, so that top_p settles nothing` },
    { field: 'model.max_tokens', value: 512, source: `${agent}: max_new_tokens 512` },
    {
      field: 'model.max_prompt_tokens',
      value: 3583,
      source: 'FastChat cuts prompts to the context of 4096 less 512 new tokens less 1',
    },
    {
      field: 'environment_options.language',
      value: 'eto',
      source: `${code}, envs/alfworld_env.py: "You arrive at loc N." is left out`,
      environments: ['alfworld'],
    },
    {
      field: 'environment_options.scoring',
      value: 'best',
      source: `${code}: the best score on the way`,
      environments: ['scienceworld'],
    },
  ],
  deviations: [
    {
      text: 'The tasks are those of the whole split. For ETO’s own lists give --task-file test_indices.json.',
      environments: ['webshop', 'scienceworld'],
    },
    {
      text: 'The built-in households are generated and have no split valid_unseen: add the games of ALFWorld, or give another split.',
      environments: ['alfworld'],
    },
    {
      text: 'The built-in shop is generated: add WebShop’s whole catalogue with its human goals.',
      environments: ['webshop'],
    },
    {
      text: 'A prompt that is too long loses its oldest turns; FastChat cuts it from the left, its instruction first.',
    },
    ownWording,
  ],
}

// The rollouts of training tasks from which pairs are made: played as the evaluation.
export const etoExplorePreset: Preset = {
  ...etoPreset,
  id: 'eto-explore',
  title: 'One greedy trajectory of each training task, as ETO explores',
  settings: [
    { field: 'tasks.split', value: 'train', source: 'ETO, run_eto.sh: --split train' },
    ...etoPreset.settings.filter(({ field }) => field !== 'tasks.split'),
  ],
}
