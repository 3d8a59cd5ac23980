import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { buildLoopRequest, type LoopFlags } from '../build-loop-request.ts'
import { detachNeedsService } from '../change-run.ts'
import { choiceOption } from '../choice-option.ts'
import { lookAt, withConnection } from '../connect.ts'
import { formatLoopPlan } from '../format-loop.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect, parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { readLoopFile } from '../read-loop-file.ts'
import type { Terminal } from '../terminal.ts'
import { watchLoop } from '../watch-loop.ts'

type LoopOptions = GlobalOptions & LoopFlags & { file?: string; detach?: boolean; dryRun?: boolean }

export function addLoopCommand(program: Command, terminal: Terminal): void {
  program
    .command('loop')
    .description('Improve a model in rounds (explore, build, train, serve, evaluate), watch it, and report.')
    .argument(
      '<recipe>',
      'rft, eto, agent-r, exploratory, step-dpo, grpo or tree-grpo; `espalier loops recipes` lists their settings',
    )
    .optionsGroup('What is improved:')
    .option('--file <path>', 'a JSON file with the loop; flags override it')
    .option('--name <text>', 'display name of the loop')
    .option('--environment <id>', 'the environment; `espalier environments` lists them')
    .option(
      '--base <model>',
      'a registered model (model-…), a folder (./…), or the name of a model on the hub',
    )
    .option('--revision <name>', 'revision of the model on the hub')
    .option('--policy <endpoint:model>', 'endpoint and model that serve an unregistered base')
    .option(
      '--expert <id>',
      'a run or imported trajectories of an expert; may be given several times',
      collect,
    )
    .option('--general <id>', 'imported conversations to mix in; may be given several times', collect)
    .option('--train <split>', 'the training tasks, such as train or train:0-200 (default: train)')
    .option('--dev <split>', 'the tasks for choosing between checkpoints, such as dev')
    .option('--test <split>', 'the tasks for the evaluation in each round (default: test)')
    .option('--train-limit <n>', 'maximum number of training tasks', parseNumber)
    .option('--dev-limit <n>', 'maximum number of dev tasks', parseNumber)
    .option('--test-limit <n>', 'maximum number of test tasks', parseNumber)
    .option('--data <pack>', 'a data pack by name or digest, or builtin (default: the one added last)')
    .option(
      '--environment-option <name=value>',
      "an option of the environment's rules; may be given several times",
      collect,
    )
    .optionsGroup('How:')
    .option('--rounds <n>', 'number of rounds after round 0, which evaluates the start', parseNumber)
    .option(
      '--set <name=value>',
      'a setting of the recipe; a list has one value for each round, such as learning_rate=[1e-6,5e-7]; may be given several times',
      collect,
    )
    .option(
      '--prompt <id=@file>',
      "a file or a text that replaces one of the method's prompts; may be given several times",
      collect,
    )
    .option('--control', 'also train the start for as many steps on the experts’ rows alone, and compare')
    .option('--promote-over <model>', 'best: promote a model even if it does not beat the control')
    .option('--candidates <n>', "number of a training's checkpoints to play on the dev tasks", parseNumber)
    .option('--checkpoint-steps <n>', 'steps between two checkpoints', parseNumber)
    .addOption(
      choiceOption('--metric <name>', 'metric for choosing checkpoints and promoting models', [
        'success_rate',
        'reward',
      ]),
    )
    .option(
      '--patience <n>',
      'end after this many rounds without a promotion; none: play all rounds (default: 2)',
    )
    .option('--trainer <name>', 'a configured trainer (default: local)')
    .option('--format <format>', 'dataset format that the trainer reads (default: trl)')
    .option('--lora', 'train LoRA adapters instead of all weights')
    .option('--answer-tokens <n>', 'maximum length of an answer in tokens', parseNumber)
    .option(
      '--prompt-tokens <n>',
      'maximum length of a prompt in tokens; longer prompts lose their oldest turns',
      parseNumber,
    )
    .option(
      '--stop <text>',
      'end each answer before this text; \\n is a line break; may be given up to four times',
      collect,
    )
    .option('--evaluation-epochs <n>', 'number of times to play each test task', parseNumber)
    .option('--seed <n>', 'the seed of everything random', parseNumber)
    .optionsGroup('Limits:')
    .option(
      '--max-cost <dollars>',
      'pause the loop at this cost; each stage gets the remainder as its cap',
      parseNumber,
    )
    .option('--max-time <seconds>', 'pause the loop after this running time', parseNumber)
    .option('--max-parallel <n>', 'maximum episodes in flight', parseNumber)
    .option('--max-retries <n>', 'number of retries of an errored episode (default: 1)', parseNumber)
    .option('--episode-steps <n>', 'end an episode after this many steps', parseNumber)
    .optionsGroup('Then:')
    .option('--dry-run', 'only list stages, episodes and estimated cost')
    .option('--detach', 'start the loop and return; needs a running service')
    .addHelpText(
      'after',
      `\nExample: espalier loop eto --environment ${exampleEnvironment} --base ./qwen3-0.6b --expert import-0123 --control --max-cost 20`,
    )
    .action(async (recipe: string, _: unknown, command: Command) => {
      await loop(recipe, command.optsWithGlobals<LoopOptions>(), terminal)
    })
}

async function loop(recipe: string, options: LoopOptions, terminal: Terminal): Promise<void> {
  const file = options.file === undefined ? {} : await readLoopFile(options.file)
  const request = buildLoopRequest(recipe, options, file)
  if (options.dryRun) {
    await lookAt(options, terminal, async ({ client }) => {
      const plan = await client.planLoop(request)
      printResult(terminal, options, plan, () => formatLoopPlan(plan, terminal.columns))
    })
    return
  }
  await withConnection(options, terminal, async (connection) => {
    if (options.detach && connection.embedded) throw detachNeedsService('loop')
    const begun = await connection.client.createLoop(request, randomUUID())
    if (options.detach) {
      terminal.out(options.json ? JSON.stringify(begun, null, 2) : begun.id)
      return
    }
    terminal.note(`${begun.id} · ${begun.progress.rounds} rounds`)
    await watchLoop(connection, begun.id, options, terminal)
  })
}
