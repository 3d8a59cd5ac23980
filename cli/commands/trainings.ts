import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { Training } from '../../shared/core/contracts/training.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { detachNeedsService } from '../change-run.ts'
import { wrongUsage } from '../command-error.ts'
import { lookAt, withConnection } from '../connect.ts'
import { describeTraining, formatRecipe, formatTrainings } from '../format-training.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'
import { followAndPrint } from './train.ts'

type ListOptions = GlobalOptions & {
  limit: number
  after?: string
  recipes?: boolean | string
  metrics?: boolean
}
type ResumeOptions = GlobalOptions & { maxCost?: number; maxTime?: number; detach?: boolean }

export function addTrainingsCommand(program: Command, terminal: Terminal): void {
  const trainings = program
    .command('trainings')
    .description('List trainings, newest first, show one, or list recipes.')
    .argument('[training]', 'a training')
    .option('--metrics', 'print every logged step of the training as JSON')
    .option('--recipes [recipe]', 'list training recipes; with a recipe, its hyperparameters')
    .option('--limit <n>', 'maximum number of trainings', parseNumber, 20)
    .option('--after <training>', 'only trainings after this one in the list')
    .addHelpText('after', '\nExample: espalier trainings --recipes dpo')
    .action(async (training: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        if (options.recipes !== undefined) await showRecipes(client, options, terminal)
        else if (training === undefined) await showList(client, options, terminal)
        else if (options.metrics) {
          terminal.out(JSON.stringify((await client.trainingMetrics(training)).data, null, 2))
        } else print(await client.training(training), options, terminal)
      })
    })
  addChange(trainings, terminal, 'cancel', 'End a training permanently.', (client, id) =>
    client.cancelTraining(id),
  )
  addChange(trainings, terminal, 'pause', 'Pause a training at a checkpoint.', (client, id) =>
    client.pauseTraining(id),
  )
  addResume(trainings, terminal)
}

function addChange(
  trainings: Command,
  terminal: Terminal,
  name: string,
  description: string,
  change: (client: ApiClient, id: string) => Promise<Training>,
): void {
  trainings
    .command(name)
    .description(description)
    .argument('<training>', 'the training')
    .addHelpText('after', `\nExample: espalier trainings ${name} training-0123`)
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withConnection(options, terminal, async ({ client }) =>
        print(await change(client, id), options, terminal),
      )
    })
}

function addResume(trainings: Command, terminal: Terminal): void {
  trainings
    .command('resume')
    .description('Continue a paused or failed training from its last checkpoint, and follow it.')
    .argument('<training>', 'the training')
    .option('--max-cost <dollars>', 'new cap on the cost (default: as before)', parseNumber)
    .option('--max-time <seconds>', 'new cap on the working time (default: as before)', parseNumber)
    .option('--detach', 'resume the training and return; needs a running service')
    .addHelpText('after', '\nExample: espalier trainings resume training-0123 --max-time 7200')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ResumeOptions>()
      const { maxCost, maxTime } = options
      const limits = {
        ...(maxCost !== undefined && { cost: maxCost }),
        ...(maxTime !== undefined && { time: maxTime }),
      }
      await withConnection(options, terminal, async (connection) => {
        if (options.detach && connection.embedded) throw detachNeedsService('training')
        const resumed = await connection.client.resumeTraining(
          id,
          Object.keys(limits).length > 0 ? { limits } : {},
        )
        if (options.detach) print(resumed, options, terminal)
        else await followAndPrint(connection, resumed, options, terminal)
      })
    })
}

function print(training: Training, options: GlobalOptions, terminal: Terminal): void {
  printResult(terminal, options, training, () => describeTraining(training))
}

async function showList(client: ApiClient, options: ListOptions, terminal: Terminal): Promise<void> {
  const list = await client.trainings({ limit: options.limit, after: options.after })
  printResult(terminal, options, list, () => formatTrainings(list.data, terminal.columns))
  if (list.has_more) terminal.note(`There are more: espalier trainings --after ${list.last_id}`)
}

async function showRecipes(client: ApiClient, options: ListOptions, terminal: Terminal): Promise<void> {
  const list = await client.trainingRecipes()
  if (options.recipes === true) {
    printResult(terminal, options, list, () =>
      list.data.flatMap(({ id, description }) => `${id}  ${description}`),
    )
    return
  }
  const recipe = list.data.find(({ id }) => id === options.recipes)
  if (recipe === undefined) {
    const known = list.data.map(({ id }) => id)
    throw wrongUsage(unknownName('There is no recipe', options.recipes, known))
  }
  printResult(terminal, options, recipe, () => formatRecipe(recipe))
}
