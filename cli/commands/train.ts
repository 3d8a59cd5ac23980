import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import {
  type Training,
  type TrainingRequestInput,
  trainingRecipeSchema,
} from '../../shared/core/contracts/training.ts'
import { detachNeedsService } from '../change-run.ts'
import { choiceOption } from '../choice-option.ts'
import { CommandError, interrupted, wrongUsage } from '../command-error.ts'
import { nextCommand } from '../command-name.ts'
import { type Connection, withConnection } from '../connect.ts'
import { describeTraining, trainingLine } from '../format-training.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect, parseNumber, parseSettings } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'

type TrainOptions = GlobalOptions & {
  base: string
  revision?: string
  recipe?: TrainingRequestInput['recipe']
  trainer?: string
  split?: string
  set?: string[]
  lora?: boolean
  loraRank?: number
  seed?: number
  maxCost?: number
  maxTime?: number
  checkpointSteps?: number
  keepCheckpoints?: number
  name?: string
  detach?: boolean
}

export function addTrainCommand(program: Command, terminal: Terminal): void {
  program
    .command('train')
    .description('Train a model on datasets, and follow it.')
    .argument('<dataset...>', 'the datasets, also with shares: DATASET=0.8 OTHER=0.2')
    .requiredOption(
      '--base <model>',
      'a registered model’s id, a folder, or a name on the hub or at the trainer’s service',
    )
    .option('--revision <name>', 'revision of a model on the hub')
    .addOption(
      choiceOption('--recipe <recipe>', 'training recipe (default: sft)', trainingRecipeSchema.options),
    )
    .option('--set <name=value>', 'a hyperparameter; may be given several times', collect)
    .option('--lora', 'train LoRA adapters instead of all weights')
    .option('--lora-rank <n>', 'rank of the adapters (default: 16)', parseNumber)
    .option('--split <name>', 'split of every dataset to train on (default: train)')
    .option('--trainer <name>', 'a configured trainer (default: local)')
    .option('--seed <n>', 'seed of the order of rows and of all randomness', parseNumber)
    .option('--max-cost <dollars>', 'pause the training at this cost', parseNumber)
    .option('--max-time <seconds>', 'pause the training after this working time', parseNumber)
    .option('--checkpoint-steps <n>', 'steps between two checkpoints (default: a tenth of all)', parseNumber)
    .option('--keep-checkpoints <n>', 'keep this many newest checkpoints (default: 3)', parseNumber)
    .option('--name <text>', 'display name of the training')
    .option('--detach', 'start the training and return; needs a running service')
    .addHelpText(
      'after',
      '\nHyperparameters: espalier trainings --recipes sft\nExample: espalier train dataset-0123 --base ./model --recipe sft --set epochs=1 --set learning_rate=1e-5',
    )
    .action(async (datasets: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<TrainOptions>()
      const request = trainingRequest(datasets, options)
      await withConnection(options, terminal, async (connection) => {
        if (options.detach && connection.embedded) throw detachNeedsService('training')
        const begun = await connection.client.createTraining(request, randomUUID())
        if (options.detach) printResult(terminal, options, begun, () => describeTraining(begun))
        else await followAndPrint(connection, begun, options, terminal)
      })
    })
}

export function trainingRequest(datasets: string[], options: TrainOptions): TrainingRequestInput {
  const { split, lora, loraRank, maxCost, maxTime } = options
  const limits = {
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(maxTime !== undefined && { time: maxTime }),
  }
  return {
    ...(options.name !== undefined && { name: options.name }),
    base: baseOf(options),
    datasets: datasets.map((text) => ({ ...parseDataset(text), ...(split !== undefined && { split }) })),
    recipe: options.recipe ?? 'sft',
    ...(options.trainer !== undefined && { trainer: options.trainer }),
    ...(options.set !== undefined && { hyperparameters: parseSettings(options.set) }),
    ...((lora || loraRank !== undefined) && { lora: loraRank === undefined ? {} : { rank: loraRank } }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(options.checkpointSteps !== undefined && { checkpoint_steps: options.checkpointSteps }),
    ...(options.keepCheckpoints !== undefined && { keep_checkpoints: options.keepCheckpoints }),
  }
}

function baseOf({ base, revision }: TrainOptions): TrainingRequestInput['base'] {
  if (/^model-[0-9a-z]{10}-[0-9a-z]{8}$/.test(base)) return { registered: base }
  if (existsSync(base)) return { folder: resolve(base) }
  if (/^[./~]/.test(base)) throw wrongUsage(`--base ${base}: there is no such folder.`)
  return { hub: base, ...(revision !== undefined && { revision }) }
}

function parseDataset(text: string): { dataset: string; share?: number } {
  const [, dataset = text, share] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (share === undefined) return { dataset }
  const number = Number(share)
  if (Number.isFinite(number)) return { dataset, share: number }
  throw wrongUsage(`"${text}" is no dataset with a share. Write DATASET=0.8.`)
}

export async function followAndPrint(
  connection: Connection,
  begun: Training,
  options: GlobalOptions,
  terminal: Terminal,
): Promise<void> {
  const line = await showLine(terminal)
  let training = begun
  try {
    while (training.status === 'queued' || training.status === 'running') {
      line.update(trainingLine(training))
      await sleep(500, undefined, { signal: terminal.interruption() })
      training = await connection.client.training(training.id)
    }
  } catch (error) {
    if (!terminal.interruption().aborted) throw error
    throw interrupted(howTrainingGoesOn(connection, training.id, options, terminal))
  } finally {
    line.stop()
  }
  printResult(terminal, options, training, () => describeTraining(training))
  if (training.status === 'succeeded') return
  throw new CommandError(
    `training_${training.status}`,
    `The training ${training.id} is ${training.status}${training.error === null ? '' : `: ${training.error}`}`,
  )
}

function howTrainingGoesOn(
  { embedded }: Connection,
  id: string,
  options: GlobalOptions,
  terminal: Terminal,
): string {
  const command = (words: string) => nextCommand(terminal, options, `trainings ${words}`)
  return embedded
    ? `Stopped. The training goes on from its last checkpoint with: ${command(`resume ${id}`)}`
    : `The training goes on at the service. Look: ${command(id)}; stop it: ${command(`pause ${id}`)}`
}
