import { ownWording, type Preset, type PresetId } from '../../core/contracts/preset.ts'

const paper = 'Yuan et al. 2025, Agent-R, experimental settings'
const code = 'Agent-R, code'
const scienceworld = ['scienceworld', 'scienceworld-plain']

export const agentRPreset: Preset = {
  id: 'agent-r',
  title: 'MCTS that collects trees for revision, as in Agent-R',
  paper:
    'Yuan et al. 2025, Agent-R: Training Language Model Agents to Reflect via Iterative Self-Training (arXiv 2501.11425)',
  source:
    'The Agent-R repository, mcts_collection.py, with the values of the paper where the code takes them from its environment variables.',
  environments: ['webshop', 'scienceworld-plain', 'scienceworld', 'textcraft'],
  settings: [
    { field: 'tasks.split', value: 'train', source: `${code}: trees are collected on training tasks` },
    { field: 'method.id', value: 'mcts', source: `${code}: UCB1 over sampled answers` },
    {
      field: 'method.value',
      value: 'none',
      source: `${code}: no value model; the rollout is the path in the tree`,
    },
    { field: 'method.iterations', value: 8, source: `${paper}: k = 8 rollouts (ITERA)` },
    { field: 'method.samples', value: 4, source: `${paper}: 4 candidates per node (N_GEN)` },
    { field: 'method.max_depth', value: 20, source: `${paper}: depth 20 (MAX_DEPTH)` },
    {
      field: 'method.exploration',
      value: 0.25,
      source: `${code}: coefficient 0.25`,
      environments: ['webshop', 'textcraft'],
    },
    {
      field: 'method.exploration',
      value: 0.0025,
      source: `${code}: coefficient 0.25 over scores of 0 to 100, which are 0 to 1 here`,
      environments: scienceworld,
    },
    { field: 'method.style', value: 'agent-r', source: `${code}: the last Action:, else the last line` },
    { field: 'method.parallel', value: 1, source: `${code}: one descent after the other` },
    { field: 'model.temperature', value: 1, source: `${code}: TEMP 1` },
    { field: 'model.max_tokens', value: 500, source: `${code}: max_tokens 500` },
    { field: 'model.max_prompt_tokens', value: 6940, source: `${code}: MAX_TOKEN_LENGTH 7000, less 60` },
    {
      field: 'environment_options.actions',
      value: 'nearest',
      source: `${code}: an answer becomes the nearest valid action`,
      environments: scienceworld,
    },
  ],
  deviations: [
    { text: 'Ties are broken by the first of the children; the code draws, without a seed.' },
    {
      text: 'What a prompt loses when it is too long is the oldest action with its observation; the code deletes one position too late.',
    },
    {
      text: 'The tasks are those of the split here. For the lists of the repository give --task-file or tasks.ids.',
    },
    {
      text: 'The built-in shop is generated: add WebShop’s small catalogue for the tasks of the paper.',
      environments: ['webshop'],
    },
    {
      text: 'The server of the paper makes nothing easy in ScienceWorld, as scienceworld-plain; this one has the preset easy.',
      environments: ['scienceworld'],
    },
    {
      text: 'Without a data pack of the server’s recipes, the goals and their numbers are Espalier’s.',
      environments: ['textcraft'],
    },
    ownWording,
  ],
}

function evaluation(id: PresetId, title: string): Preset {
  const kept = agentRPreset.settings.filter(
    ({ field }) => field === 'method.style' || /^(model|environment_options)\./.test(field),
  )
  return {
    ...agentRPreset,
    id,
    title,
    source:
      'The Agent-R repository, eval.py. MODEL_TYPE names its folder of results and changes nothing else.',
    settings: [
      { field: 'tasks.split', value: 'test', source: 'Agent-R, eval.py: test_id/{TASK}_test.json' },
      { field: 'method.id', value: 'react', source: 'Agent-R, eval.py: one answer a step' },
      { field: 'method.max_steps', value: 100, source: 'Agent-R, eval.py: --max_steps 100' },
      ...kept,
    ],
  }
}

// Agent-R's evaluation of a model trained on revisions, and of one that was not: the same settings.
export const agentREvalPresets: readonly Preset[] = [
  evaluation(
    'agent-r-eval',
    'One trajectory of a revised model, as eval.py of Agent-R with MODEL_TYPE Agent-R',
  ),
  evaluation(
    'agent-r-eval-raw',
    'One trajectory of a model as it is, as eval.py of Agent-R with MODEL_TYPE Raw',
  ),
]
