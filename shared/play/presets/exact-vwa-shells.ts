import type { Preset, PresetId, PresetSetting } from '../../core/contracts/preset.ts'
import { exactVwaPreset } from './exact-vwa.ts'

const args = 'ExACT, branch vwa, src/agent/agent_args.py'
const values = 'ExACT, branch vwa, src/agentic/value_function.py'

interface Shell {
  id: PresetId
  title: string
  file: string
  // Fields of the shell with debates that hold here too, as they are or below such a name.
  keeps: readonly string[]
  settings(file: string): PresetSetting[]
}

const observed = ['tasks.split', 'environment_options', 'model.max_tokens']
const stops = ['method.stop_after_invalid', 'method.stop_after_repeats']
const proposed = [
  'method.proposals',
  'method.branching',
  'method.time_budget',
  'model.temperature',
  'model.top_p',
]
const searched = [...observed, ...stops, ...proposed, 'method.max_steps']
const grown = [
  'method.plan',
  'method.iterations',
  'method.exploration',
  'method.child_choice',
  'method.backup',
  'method.reuse',
]
const noted = ['method.policy_', 'method.value_', 'method.success', 'method.round_size', 'roles.reflection']

// A judge who writes a rubric first, in place of a debate.
const rubric: PresetSetting[] = [
  { field: 'method.value', value: 'judge', source: `${values}: CoTwRubricValueFunction, rubric first` },
  { field: 'method.rubric', value: true, source: `${values}: CoTwRubricValueFunction, rubric first` },
  { field: 'method.verdicts', value: 20, source: `${values}: then n=20` },
  { field: 'method.scale', value: 'rubric', source: `${values}: A 1.0, B 0.9, C 0.5, D 0.2, E(other) 0.0` },
  { field: 'roles.value.temperature', value: 0.7, source: `${values}: n=20, temp 0.7` },
  { field: 'roles.value.top_p', value: 1, source: `${values}: top_p 1.0` },
  { field: 'roles.value.max_tokens', value: 256, source: `${values}: 256 tokens` },
]

const writtenRubric = {
  text: 'The checks of a rubric are written with the settings of roles.value, at temperature 0.7; ExACT writes them at temperature 0 (at 0.7 with reflection).',
}

const lookAhead = (file: string): PresetSetting[] => [
  { field: 'method.budget', value: 20, source: `${file}: vf_budget 20` },
  { field: 'method.max_depth', value: 4, source: `${file}: max_depth 4` },
  ...rubric,
]

const shells: Shell[] = [
  {
    id: 'exact-vwa-react',
    title: 'ReACT, as the shell react_som.sh of ExACT plays VisualWebArena',
    file: 'react_som.sh',
    keeps: [...observed, ...stops, 'method.max_steps'],
    settings: (file) => [
      { field: 'method.id', value: 'react', source: `${file}: agent prompt` },
      { field: 'model.temperature', value: 0.7, source: `${file}: temperature 0.7` },
      { field: 'model.top_p', value: 0.9, source: `${file}: top_p 0.9` },
    ],
  },
  {
    id: 'exact-vwa-search',
    title: 'Best-first search, as the shell sagent_som.sh of ExACT plays VisualWebArena',
    file: 'sagent_som.sh',
    keeps: searched,
    settings: (file) => [
      { field: 'method.id', value: 'best-first', source: `${file}: agent search_refactored` },
      ...lookAhead(file),
    ],
  },
  {
    id: 'exact-vwa-tot',
    title: 'Tree of thoughts, breadth first, as the shell tot_som.sh of ExACT plays VisualWebArena',
    file: 'tot_som.sh',
    keeps: searched,
    settings: (file) => [
      { field: 'method.id', value: 'tree-of-thoughts', source: `${file}: agent tot` },
      { field: 'method.order', value: 'breadth', source: `${file}: search_algo bfs` },
      ...lookAhead(file),
    ],
  },
  {
    id: 'exact-vwa-mcts',
    title: 'MCTS without reflection, as the shell mcts_som.sh of ExACT plays VisualWebArena',
    file: 'mcts_som.sh',
    keeps: [...searched, ...grown],
    settings: (file) => [{ field: 'method.id', value: 'mcts', source: `${file}: agent mcts` }, ...rubric],
  },
  {
    id: 'exact-vwa-rmcts',
    title: 'R-MCTS with one judge, as the shell rmcts_som.sh of ExACT plays VisualWebArena',
    file: 'rmcts_som.sh',
    keeps: [...searched, ...grown, ...noted],
    settings: (file) => [{ field: 'method.id', value: 'rmcts', source: `${file}: agent rmcts` }, ...rubric],
  },
]

// ExACT's shells for VisualWebArena other than that with debates; each is the same for its three sites.
export const exactVwaShellPresets: readonly Preset[] = shells.map(({ id, title, file, keeps, settings }) => {
  const shell = `ExACT, branch vwa, shells/*/${file}`
  const own = settings(shell)
  const replaced = new Set(own.map(({ field }) => field))
  const kept = exactVwaPreset.settings.filter(
    ({ field }) => !replaced.has(field) && keeps.some((name) => field.startsWith(name)),
  )
  const asHere = ({ source, ...setting }: PresetSetting) => ({
    ...setting,
    source: source.replaceAll(/ExACT, branch vwa, shells\S+_som\.sh/g, shell),
  })
  return {
    ...exactVwaPreset,
    id,
    title,
    source: `The branch vwa of the ExACT repository: ${shell}, and where it is silent the defaults in ${args}.`,
    settings: [...own, ...kept.map(asHere)],
    deviations: own.some(({ field }) => field === 'method.rubric')
      ? [writtenRubric, ...exactVwaPreset.deviations]
      : exactVwaPreset.deviations,
  }
})
