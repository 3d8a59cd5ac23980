import { ownWording, type Preset } from '../../core/contracts/preset.ts'

const shell = 'ExACT, branch vwa, shells/*/rmcts_mad_som.sh'
const code = 'ExACT, branch vwa, code'
const scripts = 'ExACT, branch vwa, shells/*/rmcts_mad_som.sh'
/**
 * Environments that show pages and act on them as VisualWebArena does. An environment of another name can set the
 * same options.
 */
const onPages = ['visualwebarena', 'sites']

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
    {
      field: 'environment_options.observation',
      value: 'image_som',
      source: `${scripts}: observation_type image_som`,
      environments: onPages,
    },
    {
      field: 'environment_options.action_set',
      value: 'id',
      source: `${scripts}: action_set_tag som, elements by their marks`,
      environments: onPages,
    },
    {
      field: 'environment_options.viewport',
      value: { width: 1280, height: 2048 },
      source: `${scripts}: viewport 1280 by 2048`,
      environments: onPages,
    },
    {
      field: 'environment_options.viewport_only',
      value: true,
      source: `${code}: current_viewport_only is forced to True`,
      environments: onPages,
    },
    {
      field: 'environment_options.captions',
      value: true,
      source: `${code}: captioning_model, which describes pictures`,
      environments: onPages,
    },
    {
      field: 'environment_options.compare',
      value: 'exact',
      source: `${code}: vwa_evaluators.py, must_include compares words that are numbers by their value`,
      environments: onPages,
    },
    {
      field: 'environment_options.early_stop',
      value: { steps: 5, parsing_failures: 3, repeated_actions: 5 },
      source: `${shell}: max_steps 5; ${code}: parsing_failure_th 3, repeating_action_failure_th 5`,
      environments: onPages,
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
      text: 'must_include finds numbers by their value ("1" in "1.0"), as ExACT scores and VisualWebArena does not: environment_options.compare "benchmark" scores as VisualWebArena.',
      environments: onPages,
    },
    {
      text: 'Marks, screenshots and captions are set in visualwebarena and sites alone. Elsewhere the settings of the search are applied to what that environment shows; an environment of the kind visualwebarena with another name takes them by environment_options.',
    },
    {
      text: 'sites are small sites of our own, not those of VisualWebArena: results on them do not compare with published ones.',
      environments: ['sites'],
    },
    {
      text: 'Pictures are described by the model of roles.captioner, and not at all without that role; ExACT describes them with BLIP-2 (blip2-flan-t5-xl).',
      environments: onPages,
    },
    {
      text: 'Each path begins on sites that were reset. ExACT goes back by replaying actions on the same sites, so that what one path posts or orders is there for the next.',
      environments: onPages,
    },
    {
      text: 'A page is waited for by its own events; ExACT waits 2.5 seconds after each action (sleep_after_execution).',
      environments: onPages,
    },
    {
      text: 'The text of a page is shown whole; ExACT cuts it at 3,840 tokens (max_obs_length). The prompt holds as many turns as fit model.max_prompt_tokens.',
      environments: onPages,
    },
    {
      text: 'Actions that the page refused count as invalid for method.stop_after_invalid; in the code only unreadable answers do.',
    },
    {
      text: 'The state behind the last step is valued if the environment ends there (environment_options.early_stop), and is 0 if method.max_steps alone ends it. In the code it is 0 for R-MCTS and MCTS, and is valued for best-first search and tree of thoughts.',
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
