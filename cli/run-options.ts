import type { Command } from 'commander'
import { collect, parseNumber } from './parse-setting.ts'

/** The flags that `espalier run` and `espalier rollouts start` share: those of {@link RunFlags} for one play of each task. */
export function addTaskOptions(command: Command, { split }: { split: string }): void {
  command
    .option(
      '--environment <id>',
      'the environment; `espalier environments` lists them. Or a file that exports one, such as ./mine.ts',
    )
    .option('--split <split>', `the split of its tasks (default: ${split})`)
    .option('--task <id>', 'one task by its id; may be given several times', collect)
    .option(
      '--task-file <path>',
      'a JSON list of ids, or a task file of the environment’s paper that its page in the guide names',
    )
    .option(
      '--beginnings <path>',
      'a JSON map of tasks to lists of answers: each is played before the model goes on, as in Agent-R’s test of recovery',
    )
    .option('--range <from-to>', 'positions in the split, such as 0-50')
    .option('--type <type>', 'only tasks of this type; may be given several times', collect)
    .option('--limit <n>', 'at most this many tasks', parseNumber)
    .option(
      '--generate <n>',
      'make this many tasks, in place of those that come along; --split is theirs then (default: train)',
      parseNumber,
    )
    .option('--generator <id>', 'the generator; `espalier environments ENVIRONMENT` lists generators')
    .option('--generate-seed <n>', 'which of them, and in which order (default: 0)', parseNumber)
    .option(
      '--bound <name=value>',
      'a bound of the generator, such as max_balls=2; may be given several times',
      collect,
    )
    .option('--seed <n>', 'the seed of everything random', parseNumber)
    .option('--data <pack>', 'a data pack by name or digest, or builtin (default: the one added last)')
    .option(
      '--environment-option <name=value>',
      "an option of the environment's rules, such as scoring=best; may be given several times",
      collect,
    )
    .option('--hosting <where>', 'host of the environment: auto, worker or host')
    .option('--workers <kind>', 'workers of a deployment: auto, lambda or fargate')
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
      'the longest answer asked for, thoughts included (default: 4096; of the simulated model 512)',
      parseNumber,
    )
    .option('--reasoning-effort <word>', 'reasoning effort of the model, such as low or high')
    .option(
      '--request <field=value>',
      'a further field of each request, such as top_k=20; may be given several times',
      collect,
    )
    .option('--prompt-tokens <n>', 'the longest prompt; its oldest turns are cut', parseNumber)
    .option('--tokenizer <model>', 'the registered model whose tokenizer counts prompts, or estimate')
    .option('--max-pictures <n>', 'the newest pictures that a prompt shows (default: 4)', parseNumber)
    .option(
      '--stop <text>',
      'answers of the policy end before it, \\n being a line break; up to four times',
      collect,
    )
    .option(
      '--role <role=endpoint:model>',
      'another model for a role, or a setting of it, such as debate.temperature=0.1; may be given several times',
      collect,
    )
    .option(
      '--prompt <id=@file>',
      "a file, or a text, in place of one of the method's prompts; may be given several times",
      collect,
    )
}

export function addLimitOptions(command: Command, word: string): void {
  command
    .option('--max-retries <n>', 'number of retries of an errored episode', parseNumber)
    .option('--max-cost <dollars>', `pauses the ${word}`, parseNumber)
    .option('--max-tokens <n>', `pauses the ${word}`, parseNumber)
    .option('--max-time <seconds>', `pauses the ${word}`, parseNumber)
    .option('--episode-steps <n>', 'ends an episode', parseNumber)
    .option('--episode-turns <n>', 'ends an episode', parseNumber)
    .option('--episode-tokens <n>', 'ends an episode', parseNumber)
    .option('--episode-cost <dollars>', 'ends an episode', parseNumber)
    .option('--episode-time <seconds>', 'ends an episode', parseNumber)
}

export function addLabelOptions(command: Command, word: string): void {
  command
    .option('--experiment <name>', 'the experiment that it belongs to')
    .option('--tag <word>', 'a word to find it by; may be given several times', collect)
    .option('--note <text>', 'words about it, for people')
    .option('--metadata <name=value>', `kept with the ${word}; may be given several times`, collect)
}
