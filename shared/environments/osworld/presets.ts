import { ownWording, type Preset, type PresetId, type PresetSetting } from '../../core/contracts/preset.ts'

const shell = 'ExACT, branch osworld, shells/rmcts_gpt-4o_base.sh'
const code = 'ExACT, branch osworld, exact/args.py'
const onDesktops = ['osworld', 'desktop']

export const exactOsworldPreset: Preset = {
  id: 'exact-osworld',
  title: 'R-MCTS over whole tasks, as in OSWorld',
  paper: 'Yu et al. 2024, ExACT (arXiv 2410.02052)',
  source:
    'The branch osworld of the ExACT repository: the script rmcts_gpt-4o_base, and where it is silent the defaults of the code.',
  environments: ['osworld'],
  settings: [
    { field: 'tasks.split', value: 'test', source: 'the paper evaluates on the test tasks' },
    { field: 'method.id', value: 'rmcts', source: `${shell}: agent rmcts` },
    {
      field: 'method.value',
      value: 'single-debate',
      source: `${shell}: value_func noop_r_sad_value_func`,
    },
    { field: 'method.plan', value: 'whole-task', source: `${code}: the whole trajectory is planned once` },
    { field: 'method.iterations', value: 60, source: `${shell}: n_nodes 60` },
    { field: 'method.max_steps', value: 15, source: `${code}: max_steps 15` },
    { field: 'method.branching', value: 10, source: `${shell}: branching_factor 10` },
    { field: 'method.proposals', value: 20, source: `${code}: n = max(2 · branching_factor, 20)` },
    { field: 'method.child_choice', value: 'random', source: `${shell}: branching_algo random` },
    { field: 'method.branching_schedule', value: 'decaying', source: `${shell}: bfactor_func exp_decay` },
    { field: 'method.branching_coefficient', value: 1, source: `${shell}: bfactor_func_coeff 1.0` },
    { field: 'method.prior_temperature', value: 5, source: `${shell}: prior_temperature 5.0` },
    { field: 'method.exploration', value: 1, source: `${code}: schedules begin at 1` },
    { field: 'method.exploration_schedule', value: 'cosine', source: `${shell}: c_func cosine` },
    { field: 'method.exploration_end', value: 0.1, source: `${shell}: cpuct_end 0.1` },
    { field: 'method.advance_every', value: 20, source: `${shell}: adv_after_n_nodes 20` },
    { field: 'method.backup', value: 'mean', source: `${code}: running mean, no discount` },
    { field: 'method.verdicts', value: 10, source: `${shell}: vf_n 10` },
    { field: 'method.scale', value: 'desktop', source: `${code}: A 1.0, B 0.5, C 0.2, D -0.2, E -1.0` },
    {
      field: 'method.policy_surprise',
      value: 'unexpected_and_absq',
      source: `${shell}: unexpected_and_absq`,
    },
    { field: 'method.policy_notes', value: 4, source: `${shell}: max_reflections_per_task 4` },
    { field: 'method.policy_threshold', value: 0.25, source: `${shell}: reflection_threshold 0.25` },
    { field: 'method.policy_recall', value: 2, source: `${shell}: max_to_retrieve 2` },
    { field: 'method.policy_likeness', value: 0.5, source: `${shell}: min_retrieval_score 0.5` },
    { field: 'method.reflect_value', value: false, source: `${code}: no memory for the value function` },
    {
      field: 'method.round_size',
      value: 1,
      source: `${code}: reflection between tasks, one after the other`,
    },
    {
      field: 'environment_options.observation',
      value: 'a11y_tree',
      source: `${shell}: observation_type a11y_tree`,
      environments: onDesktops,
    },
    {
      field: 'environment_options.action_space',
      value: 'pyautogui',
      source: `${code}: action_space pyautogui`,
      environments: onDesktops,
    },
    {
      field: 'environment_options.tree_tokens',
      value: 10_000,
      source: `${code}: a11y_tree_max_tokens 10000`,
      environments: onDesktops,
    },
    {
      field: 'environment_options.max_steps',
      value: 15,
      source: `${code}: max_steps 15`,
      environments: onDesktops,
    },
    {
      field: 'environment_options.pause',
      value: 1,
      source: `${code}: sleep_after_execution 1.0`,
      environments: onDesktops,
    },
    { field: 'model.temperature', value: 1, source: `${code}: temperature 1.0` },
    { field: 'model.top_p', value: 0.9, source: `${code}: top_p 0.9` },
    { field: 'model.max_tokens', value: 1500, source: `${code}: max_tokens 1500` },
    { field: 'roles.value.temperature', value: 0.7, source: `${shell}: vf_temperature .7` },
    { field: 'roles.value.top_p', value: 0.9, source: `${code}: vf_top_p 0.9` },
    { field: 'roles.value.max_tokens', value: 256, source: `${code}: vf_max_tokens 256` },
    { field: 'roles.reflection.temperature', value: 0.7, source: `${code}: 0.7` },
    { field: 'roles.reflection.top_p', value: 0.9, source: `${code}: 0.9` },
    { field: 'roles.reflection.max_tokens', value: 400, source: `${code}: 400` },
  ],
  deviations: [
    {
      text: 'Notes are chosen by |V - Q| + |Q|, as the script asks; the code does not forward the choice and uses |V - Q|.',
    },
    {
      text: 'Of OSWorld the tasks are played that a container can play (split test of the data pack), with the applications of Debian on a plain desktop in place of its Ubuntu with GNOME: results do not compare with published ones.',
      environments: ['osworld'],
    },
    {
      text: 'desktop has tasks of our own, not those of OSWorld: results on them do not compare with published ones.',
      environments: ['desktop'],
    },
    {
      text: 'After the second of sleep_after_execution the screen is waited for until it stands still, at most environment_options.settle_limit seconds.',
      environments: onDesktops,
    },
    {
      text: 'Answers count as the same action where they differ in white space alone; the code compares the syntax trees of the Python, without comments.',
      environments: onDesktops,
    },
    {
      text: 'Desktops are set in osworld and desktop alone. Elsewhere the settings of the search are applied to what that environment shows.',
    },
    {
      text: 'n_sim_instances 30 machines side by side are not needed: states are forked, or replayed on a machine of their own.',
    },
    {
      text: 'The root is expanded before the first of the n_nodes iterations; in the code the first iteration expands it, so a search here values one state more.',
    },
    {
      text: 'The prompt holds as many turns as fit model.max_prompt_tokens; the code shows the last 3 (max_trajectory_length).',
    },
    {
      text: 'Notes are found by their words unless roles.embedding names a model, and the least likeness is one of vectors.',
    },
    {
      text: 'A path is given up after 3 invalid or 5 equal actions in a row (method.stop_after_invalid and method.stop_after_repeats); of the code no such rule is known.',
    },
    { text: 'A final path that fails is not played again; the code tries it up to 2 more times.' },
    ownWording,
  ],
}

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
      { field: 'method.branching_schedule', value: 'constant', source: `${code}: bfactor_func constant` },
      { field: 'method.exploration', value: 1, source: `${code}: cpuct 1.0` },
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

export const exactOsworldShellPresets: readonly Preset[] = shells.map(
  ({ id, title, file: name, keeps, drops, settings }) => {
    const file = `ExACT, branch osworld, shells/${name}`
    const own = settings(file)
    const replaced = new Set(own.map(({ field }) => field))
    const kept = exactOsworldPreset.settings.filter(
      ({ field }) => !replaced.has(field) && keeps.some((name) => field.startsWith(name)),
    )
    const asHere = ({ source, ...setting }: PresetSetting) => ({
      ...setting,
      source: source.replace(shell, file),
    })
    return {
      ...exactOsworldPreset,
      id,
      title,
      source: `The branch osworld of the ExACT repository: ${file}, and where it is silent the defaults in ${code}.`,
      settings: [...own, ...kept.map(asHere)],
      deviations: exactOsworldPreset.deviations.filter(({ text }) => !drops.test(text)),
    }
  },
)
