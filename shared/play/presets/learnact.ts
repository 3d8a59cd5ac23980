import { ownWording, type Preset } from '../../core/contracts/preset.ts'

const script = 'LearnAct, run_experiment.sh'
const code = 'LearnAct, code'
const planning = ['pddl']
const household = ['alfworld']

export const learnactPreset: Preset = {
  id: 'learnact',
  title: 'Learned actions, as LearnAct plays robot planning and ALFWorld',
  paper:
    'Zhao et al. 2024, Empowering Large Language Model Agents through Action Learning (arXiv 2402.15809)',
  source: 'The LearnAct repository: run_experiment.sh, and where it is silent the defaults of the code.',
  environments: ['pddl', 'alfworld'],
  settings: [
    { field: 'tasks.split', value: 'test', source: `${script}: --test_on_all`, environments: planning },
    {
      field: 'tasks.split',
      value: 'valid_unseen',
      source: `${code}: the 134 games of valid_unseen`,
      environments: household,
    },
    { field: 'method.id', value: 'learnact', source: `${script}: --planning_method learnact_agent` },
    {
      field: 'method.agent',
      value: 'act',
      source: `${script}: --no_tool_selfprompt, actions without thoughts`,
    },
    { field: 'method.candidates', value: 4, source: `${script}: --step_sample_number 4` },
    { field: 'method.rounds', value: 2, source: `${script}: --optimize_iteration_number 2` },
    { field: 'method.tries', value: 4, source: `${code}: recursive_code_generation, 4 attempts` },
    { field: 'method.train_tasks', value: 3, source: `${script}: --split_dataset_num 3` },
    { field: 'method.test_on_trained', value: true, source: `${script}: --test_on_all` },
    { field: 'method.train_steps', value: 10, source: `${code}: max_steps 10 while learning` },
    {
      field: 'method.variant',
      value: 'free',
      source: `${script}: --get_tool_version free`,
      environments: planning,
    },
    {
      field: 'method.variant',
      value: 'decompose',
      source: `${script}: --get_tool_version decompose`,
      environments: household,
    },
    { field: 'method.learn_each_epoch', value: true, source: `${script}: --exp_id_on_train` },
    { field: 'method.learn_by', value: 'type', source: `${script}: one data set for each type of task` },
    {
      field: 'method.score',
      value: 'success_accuracy_calls',
      source: `${script}: --score_type step_correction_call_ratio_success`,
      environments: planning,
    },
    {
      field: 'method.score',
      value: 'success_calls',
      source: `${script}: --score_type call_ratio_success`,
      environments: household,
    },
    { field: 'method.max_steps', value: 30, source: `${script}: --max_steps 30`, environments: planning },
    { field: 'method.max_steps', value: 20, source: `${script}: --max_steps 20`, environments: household },
    { field: 'model.temperature', value: 0, source: `${code}: temperature 0.0` },
    { field: 'model.top_p', value: 1, source: `${code}: top_p 1` },
    { field: 'model.max_prompt_tokens', value: 8192, source: `${code}: context of gpt-4` },
    { field: 'roles.learner.temperature', value: 0, source: `${code}: temperature 0.0` },
    { field: 'epochs', value: 3, source: `${script}: exp_id 0, 1, 2` },
    {
      field: 'environment_options.language',
      value: 'agentboard',
      source: `${code}: environments of AgentBoard`,
      environments: ['pddl', 'alfworld'],
    },
    {
      field: 'environment_options.observations',
      value: 'full',
      source: `${code}: every true literal is shown`,
      environments: planning,
    },
    {
      field: 'environment_options.refusal',
      value: 'not_valid',
      source: `${code}: "Nothing happens" is replaced`,
      environments: ['alfworld'],
    },
  ],
  deviations: [
    {
      text: 'Learned functions are JavaScript in a sandbox; LearnAct’s are Python in the process of the environment. Set method.language to python for Python in a sandbox.',
    },
    {
      text: 'The prompt is bounded by tokens; LearnAct shows the last 20 actions, or 50 in ALFWorld (memory_size).',
    },
    {
      text: 'An answer may have several lines, of which the action counts; LearnAct stops it at the end of the first.',
    },
    { text: 'Answers are bounded by model.max_tokens; LearnAct sets no bound (max_tokens None).' },
    {
      text: 'The three training tasks of each type are drawn among the played ones; LearnAct’s are fixed. Name them in method.train_ids.',
    },
    {
      text: 'The built-in problems are generated in the sizes of AgentBoard’s: add its folder of problems as a pack.',
      environments: planning,
    },
    {
      text: 'The built-in households are generated and have no split valid_unseen: add the games of ALFWorld, or give another split.',
      environments: ['alfworld'],
    },
    ownWording,
  ],
}
