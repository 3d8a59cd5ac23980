import type { Command } from 'commander'
import { collect, parseNumber } from './parse-setting.ts'

/** The flags that `espalier run` and `espalier rollouts start` share: those of {@link RunFlags} for one play of each task. */
export function addTaskOptions(command: Command, { split }: { split: string }): void {
  command
    .option(
      '--environment <id>',
      'the environment; `espalier environments` lists them. Or a file that exports one, such as ./mine.ts',
    )
    .option('--split <split>', `the split of the tasks (default: ${split})`)
    .option('--task <id>', 'one task by its id; may be given several times', collect)
    .option(
      '--task-file <path>',
      'a JSON list of task ids, or a paper’s task file named on the environment’s page in the guide',
    )
    .option(
      '--beginnings <path>',
      'a JSON map from task ids to answers that are played before the model continues, as in Agent-R’s recovery test',
    )
    .option('--range <from-to>', 'only tasks at these positions in the split, such as 0-50')
    .option('--type <type>', 'only tasks of this type; may be given several times', collect)
    .option('--limit <n>', 'maximum number of tasks', parseNumber)
    .option(
      '--generate <n>',
      'generate this many tasks instead of playing existing ones; --split then applies to them (default: train)',
      parseNumber,
    )
    .option('--generator <id>', 'the task generator; `espalier environments ENVIRONMENT` lists generators')
    .option(
      '--generate-seed <n>',
      'seed that selects the generated tasks and their order (default: 0)',
      parseNumber,
    )
    .option(
      '--bound <name=value>',
      'a bound of the generator, such as max_balls=2; may be given several times',
      collect,
    )
    .option('--seed <n>', 'the seed of everything random', parseNumber)
    .option(
      '--sampling-seed <n>',
      'the seed of everything drawn in play; --seed then decides only the problems (default: the seed)',
      parseNumber,
    )
    .option('--data <pack>', 'a data pack by name or digest, or builtin (default: the one added last)')
    .option(
      '--environment-option <name=value>',
      "an option of the environment's rules, such as scoring=best; may be given several times",
      collect,
    )
    .option('--hosting <where>', 'run the environment inside the worker or on hosts: auto, worker or host')
    .option('--workers <kind>', 'kind of workers in a deployment: auto, lambda or fargate')
}

export function addPlayOptions(command: Command): void {
  command
    .option(
      '--method <id>',
      'the method; `espalier methods` lists them. Or a file that exports one, such as ./greedy.ts',
    )
    .option('--set <name=value>', 'a parameter of the method; may be given several times', collect)
    .option('--model <id>', 'the model, as its endpoint calls it')
    .option('--endpoint <name>', 'the endpoint; `espalier models` lists them (default: openai, or simulated)')
    .option('--temperature <n>', 'sampling temperature', parseNumber)
    .option('--top-p <n>', 'nucleus sampling', parseNumber)
    .option(
      '--answer-tokens <n>',
      'maximum length of an answer in tokens, thoughts included (default: 4096; of the simulated model 512)',
      parseNumber,
    )
    .option('--reasoning-effort <word>', 'reasoning effort of the model, such as low or high')
    .option(
      '--request <field=value>',
      'an extra field of each model request, such as top_k=20; may be given several times',
      collect,
    )
    .option(
      '--prompt-tokens <n>',
      'maximum length of a prompt in tokens; longer prompts lose their oldest turns',
      parseNumber,
    )
    .option('--tokenizer <model>', 'the registered model whose tokenizer counts prompt tokens, or estimate')
    .option(
      '--max-pictures <n>',
      'show at most this many pictures in a prompt, the newest ones (default: 4)',
      parseNumber,
    )
    .option(
      '--stop <text>',
      'end each answer of the policy before this text; \\n is a line break; may be given up to four times',
      collect,
    )
    .option(
      '--role <role=endpoint:model>',
      'another model for a role, or a setting of it, such as debate.temperature=0.1; may be given several times',
      collect,
    )
    .option(
      '--prompt <id=@file>',
      "a file or a text that replaces one of the method's prompts; may be given several times",
      collect,
    )
}

export function addLimitOptions(command: Command, word: string): void {
  command
    .option('--max-retries <n>', 'number of retries of an errored episode', parseNumber)
    .option('--max-cost <dollars>', `pause the ${word} at this cost`, parseNumber)
    .option('--max-tokens <n>', `pause the ${word} after this many tokens`, parseNumber)
    .option('--max-time <seconds>', `pause the ${word} after this running time`, parseNumber)
    .option('--episode-steps <n>', 'end an episode after this many steps', parseNumber)
    .option('--episode-turns <n>', 'end an episode after this many turns', parseNumber)
    .option('--episode-tokens <n>', 'end an episode after this many tokens', parseNumber)
    .option('--episode-cost <dollars>', 'end an episode at this cost', parseNumber)
    .option('--episode-time <seconds>', 'end an episode after this working time', parseNumber)
}

export function addLabelOptions(command: Command, word: string): void {
  command
    .option('--experiment <name>', `the experiment that the ${word} belongs to`)
    .option('--tag <word>', 'a tag for filtering lists; may be given several times', collect)
    .option('--note <text>', `free-text description of the ${word}`)
    .option(
      '--metadata <name=value>',
      `metadata stored with the ${word}; may be given several times`,
      collect,
    )
}
