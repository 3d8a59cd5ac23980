import type { PresetId, PresetSetting } from '../../core/contracts/preset.ts'
import { exactOsworldPreset } from './exact-osworld.ts'
import type { Preset } from './preset.ts'

const args = 'ExACT, branch osworld, exact/args.py'

interface Shell {
  id: PresetId
  title: string
  file: string
  // Fields of the script for the paper that hold here too, as they are or below such a name.
  keeps: readonly string[]
  // Words of the deviations of that script that do not concern this one.
  drops: RegExp
  settings(file: string): PresetSetting[]
}

const played = ['tasks.split', 'environment_options', 'model.', 'method.max_steps']
const searched = [
  'method.value',
  'method.plan',
  'method.proposals',
  'method.prior_temperature',
  'method.backup',
  'method.verdicts',
  'method.scale',
  'method.policy_',
  'method.reflect_value',
  'method.round_size',
  'roles.',
]

const shells: Shell[] = [
  {
    id: 'exact-osworld-rmcts',
    title: 'R-MCTS with a small tree, as the shell rmcts_gpt-4o.sh of ExACT plays OSWorld',
    file: 'rmcts_gpt-4o.sh',
    keeps: [...played, ...searched],
    drops: /n_sim_instances/,
    settings: (file) => [
      { field: 'method.id', value: 'rmcts', source: `${file}: agent rmcts` },
      { field: 'method.iterations', value: 5, source: `${file}: n_nodes 5` },
      { field: 'method.branching', value: 2, source: `${file}: branching_factor 2` },
      { field: 'method.child_choice', value: 'sample', source: `${file}: branching_algo sample` },
      { field: 'method.branching_schedule', value: 'constant', source: `${args}: bfactor_func constant` },
      { field: 'method.exploration', value: 1, source: `${args}: cpuct 1.0` },
      { field: 'method.exploration_schedule', value: 'constant', source: `${file}: c_func constant` },
      { field: 'method.advance_every', value: 10, source: `${file}: adv_after_n_nodes 10` },
      { field: 'method.advance_counter', value: 'iterations', source: `${file}: adv_counter search_itr` },
      { field: 'method.policy_notes', value: 3, source: `${file}: max_reflections_per_task 3` },
      { field: 'method.policy_likeness', value: 0.7, source: `${file}: min_retrieval_score .7` },
    ],
  },
  {
    id: 'exact-osworld-react',
    title: 'ReACT, as the shell react_gpt-4o.sh of ExACT plays OSWorld',
    file: 'react_gpt-4o.sh',
    keeps: played,
    drops: /n_sim_instances|Notes|search|same action|given up|final path/,
    settings: (file) => [{ field: 'method.id', value: 'react', source: `${file}: agent react` }],
  },
]

// ExACT's shells for OSWorld other than that of the paper's settings.
export const exactOsworldShellPresets: readonly Preset[] = shells.map(
  ({ id, title, file, keeps, drops, settings }) => {
    const shell = `ExACT, branch osworld, shells/${file}`
    const own = settings(shell)
    const replaced = new Set(own.map(({ field }) => field))
    const kept = exactOsworldPreset.settings.filter(
      ({ field }) => !replaced.has(field) && keeps.some((name) => field.startsWith(name)),
    )
    const asHere = ({ source, ...setting }: PresetSetting) => ({
      ...setting,
      source: source.replace('ExACT, branch osworld, shells/rmcts_gpt-4o_base.sh', shell),
    })
    return {
      ...exactOsworldPreset,
      id,
      title,
      source: `The branch osworld of the ExACT repository: ${shell}, and where it is silent the defaults in ${args}.`,
      settings: [...own, ...kept.map(asHere)],
      deviations: exactOsworldPreset.deviations.filter(({ text }) => !drops.test(text)),
    }
  },
)
