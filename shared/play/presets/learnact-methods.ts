import type { Preset, PresetId, PresetSetting } from '../../core/contracts/preset.ts'
import { learnactPreset } from './learnact.ts'

const script = 'LearnAct, run_experiment.sh'
const code = 'LearnAct, backbone/gpt.py'

const plain = ['tasks.split', 'model', 'epochs', 'environment_options']
const limited = [...plain, 'method.max_steps']
const taught = [
  'method.test_on_trained',
  'method.train_tasks',
  'method.train_steps',
  'method.learn_each_epoch',
  'method.learn_by',
]

interface Variant {
  name: string
  title: string
  keeps: readonly string[]
  settings: PresetSetting[]
  environments?: string[]
}

const reflexion = (agent: 'act' | 'react', planner: string): PresetSetting[] => [
  { field: 'method.id', value: 'reflexion', source: `${script}: --planning_method reflexion_agent` },
  { field: 'method.agent', value: agent, source: `${script}: --user_method ${planner}` },
  { field: 'method.notes', value: 2, source: `${script}: --optimize_iteration_number 2` },
]

const variants: Variant[] = [
  { name: '', title: 'Learned actions', keeps: [''], settings: [] },
  {
    name: '-act',
    title: 'Actions without thoughts',
    keeps: limited,
    settings: [{ field: 'method.id', value: 'act', source: `${script}: --planning_method py_agent` }],
  },
  {
    name: '-react',
    title: 'ReAct',
    keeps: limited,
    settings: [{ field: 'method.id', value: 'react', source: `${script}: --planning_method react_py_agent` }],
  },
  {
    name: '-act-reflexion',
    title: 'Actions without thoughts, with notes on failures',
    keeps: [...limited, ...taught],
    settings: reflexion('act', 'py_agent'),
  },
  {
    name: '-react-reflexion',
    title: 'ReAct, with notes on failures',
    keeps: [...limited, ...taught],
    settings: reflexion('react', 'react_py_agent'),
  },
  {
    name: '-code-as-policy',
    title: 'One program for a task',
    keeps: plain,
    settings: [
      { field: 'method.id', value: 'code-as-policy', source: `${script}: --hier, code_as_policy` },
      { field: 'method.tries', value: 1, source: 'LearnAct, model/code_as_policy: one call, executed once' },
    ],
    environments: ['pddl'],
  },
]

// The acting model is GPT-4 or GPT-3.5, which reads 4,096 tokens; the learner is always GPT-4.
const sizes = [
  { name: '', model: 'gpt-4', context: 8192 },
  { name: '-gpt-3.5', model: 'gpt-3.5', context: 4096 },
]

const methodOf = ({ settings }: Variant) =>
  settings.find(({ field }) => field === 'method.id')?.value ?? 'learnact'

const ownLearner = (method: string) => {
  const role = method === 'learnact' ? 'learner' : 'reflection'
  return {
    text: `The acting model also learns, within its own context, unless roles.${role} names another. LearnAct learns by gpt-4, with 8,192 tokens: set roles.${role}.id and roles.${role}.max_prompt_tokens.`,
  }
}

const thoughtsAreFree = {
  text: 'An answer holds a thought and its action, which is one step; in LearnAct a thought is a step of its own.',
}

// The methods of `run_experiment.sh` beside the preset `learnact`, for both sizes of the acting model.
export const learnactMethodPresets: readonly Preset[] = variants.flatMap((variant) =>
  sizes.flatMap(({ name, model, context }) => {
    if (variant.name === '' && name === '') return []
    const replaced = new Set(['model.max_prompt_tokens', ...variant.settings.map(({ field }) => field)])
    const kept = learnactPreset.settings.filter(
      ({ field }) => !replaced.has(field) && variant.keeps.some((each) => field.startsWith(each)),
    )
    const learner = ['learnact', 'reflexion'].find((id) => methodOf(variant) === id)
    const read = { field: 'model.max_prompt_tokens', value: context, source: `${code}: ${model} ${context}` }
    return {
      ...learnactPreset,
      id: `learnact${variant.name}${name}` as PresetId,
      title: `${variant.title} by ${model}, as LearnAct's run_experiment.sh plays`,
      environments: variant.environments ?? learnactPreset.environments,
      settings: [...variant.settings, ...kept, read],
      deviations: [
        ...(learner !== undefined && name !== '' ? [ownLearner(learner)] : []),
        ...(variant.name.startsWith('-react') ? [thoughtsAreFree] : []),
        ...learnactPreset.deviations,
      ],
    }
  }),
)
