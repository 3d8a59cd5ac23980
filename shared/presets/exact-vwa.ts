import { ownWording, type Preset } from './preset.ts'

const shell = 'ExACT, branch vwa, script of rmcts_mad'
const code = 'ExACT, branch vwa, code'

/** R-MCTS with multi-agent debate, as ExACT ran VisualWebArena. */
export const exactVwaPreset: Preset = {
  id: 'exact-vwa',
  title: 'R-MCTS with debate, as in VisualWebArena',
  paper: 'Yu et al. 2024, ExACT (arXiv 2410.02052), sections 3 and 4',
  source:
    'The branch vwa of the ExACT repository: its scripts for rmcts_mad, and where they are silent the defaults of the code.',
  environments: [],
  settings: [
    { field: 'tasks.split', value: 'test', source: 'the paper evaluates on the test tasks' },
    { field: 'method.id', value: 'rmcts', source: `${shell}: agent_type rmcts_mad` },
    { field: 'method.value', value: 'debate', source: `${shell}: ReinforcedDebateValueFunction` },
    {
      field: 'method.plan',
      value: 'per-step',
      source: `${code}: the tree is built anew before each real action`,
    },
    { field: 'method.iterations', value: 20, source: `${shell}: vf_budget 20` },
    { field: 'method.time_budget', value: 5, source: `${shell}: time_budget 5.0, minutes for each action` },
    { field: 'method.max_steps', value: 5, source: `${shell}: max_steps 5` },
    { field: 'method.branching', value: 5, source: `${shell}: branching_factor 5` },
    { field: 'method.proposals', value: 20, source: `${code}: n = max(2 · branching_factor, 20)` },
    { field: 'method.child_choice', value: 'best', source: `${code}: the most frequent groups are kept` },
    { field: 'method.exploration', value: 1, source: `${code}: cpuct 1.0, whatever --puct says` },
    { field: 'method.backup', value: 'mean', source: `${code}: running mean, no discount` },
    { field: 'method.reuse', value: false, source: `${code}: all tables are cleared before each action` },
    { field: 'method.verdicts', value: 3, source: `${code}: two orders of opinions, 3 verdicts each` },
    { field: 'method.scale', value: 'debate', source: `${code}: A 1.0, B 0.7, C 0.5, D -0.2, E -1.0` },
    { field: 'method.stop_after_invalid', value: 3, source: `${code}: parsing_failure_th 3` },
    { field: 'method.stop_after_repeats', value: 5, source: `${code}: repeating_action_failure_th 5` },
    { field: 'method.policy_notes', value: 3, source: `${shell}: max_reflections_per_task 3` },
    { field: 'method.policy_threshold', value: 0.5, source: `${shell}: reflection_threshold 0.5` },
    { field: 'method.policy_recall', value: 2, source: `${code}: max_to_retrieve 2` },
    { field: 'method.policy_likeness', value: 0.25, source: `${code}: min_retrieval_score 0.25` },
    { field: 'method.value_notes', value: 1, source: `${shell}: value_max_reflections_per_task 1` },
    { field: 'method.value_threshold', value: 0.5, source: `${shell}: value_reflection_threshold 0.5` },
    { field: 'method.value_recall', value: 1, source: `${code}: value_max_to_retrieve 1` },
    { field: 'method.value_likeness', value: 0.25, source: `${code}: value_min_retrieval_score 0.25` },
    { field: 'method.success', value: 'estimated', source: `${code}: use_gt_success False` },
    {
      field: 'method.round_size',
      value: 1,
      source: `${code}: reflection between tasks, one after the other`,
    },
    { field: 'model.temperature', value: 1, source: `${shell}: temperature 1.0` },
    { field: 'model.top_p', value: 0.95, source: `${shell}: top_p 0.95` },
    { field: 'model.max_tokens', value: 384, source: `${code}: max_tokens 384` },
    { field: 'roles.value.temperature', value: 1, source: `${code}: the judge of a debate` },
    { field: 'roles.value.top_p', value: 0.95, source: `${code}: the judge of a debate` },
    { field: 'roles.value.max_tokens', value: 256, source: `${code}: the judge of a debate` },
    { field: 'roles.debate.temperature', value: 0.1, source: `${code}: both sides of a debate` },
    { field: 'roles.debate.top_p', value: 0.9, source: `${code}: both sides of a debate` },
    { field: 'roles.debate.max_tokens', value: 256, source: `${code}: both sides of a debate` },
    { field: 'roles.reflection.temperature', value: 0.7, source: `${code}: rlm_temperature 0.7` },
    { field: 'roles.reflection.top_p', value: 0.9, source: `${code}: rlm_top_p 0.9` },
    { field: 'roles.reflection.max_tokens', value: 384, source: `${code}: rlm_max_tokens 384` },
  ],
  deviations: [
    {
      text: 'VisualWebArena is not there: the settings of the search are applied to another environment, without screenshots, marks and captions.',
    },
    {
      text: 'A search ends after 20 iterations or 5 minutes, whichever comes first; in the code minutes replace iterations.',
    },
    {
      text: 'Notes are found by their words unless roles.embedding names a model; ExACT embeds with text-embedding-3-small, and its least likeness is one of vectors.',
    },
    {
      text: 'Reasoning models need more than 384 answer tokens: raise model.max_tokens, which is then listed as a deviation.',
    },
    { text: 'Where a call fails it is tried again or the episode is errored; ExACT takes the value 0.' },
    ownWording,
  ],
}
