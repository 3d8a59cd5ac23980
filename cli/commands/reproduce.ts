import type { Command } from 'commander'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { leastDollars } from '../../shared/core/contracts/limits.ts'
import type { PaperRecipe } from '../../shared/insight/recipes/recipe.ts'
import { findPaperRecipe, paperRecipes } from '../../shared/insight/recipes/recipes.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { nextCommand } from '../command-name.ts'
import { type Connection, lookAt, withConnection } from '../connect.ts'
import { wrap } from '../fit-text.ts'
import type { GlobalOptions } from '../global-options.ts'
import { collect, parseCount, parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { readLoopFile } from '../read-loop-file.ts'
import { readTaskFile } from '../read-task-file.ts'
import { readText } from '../read-text.ts'
import { checkCells, checkNeeds, formatNeeds } from '../reproduce/check-recipe.ts'
import {
  differencesOf,
  formatValues,
  type ReproducedCell,
  valuesOf,
} from '../reproduce/format-reproduction.ts'
import { type NamedModel, type PaperChoice, paperCells, sweepName } from '../reproduce/paper-cells.ts'
import type { TrainedModels } from '../reproduce/train-models.ts'
import { planModels, trainPlanned } from '../reproduce/train-recipe.ts'
import { findCells } from '../sweep/play-sweep.ts'
import type { Sweep } from '../sweep/sweep-file.ts'
import { watchSweep } from '../sweep/watch-sweep.ts'
import type { Terminal } from '../terminal.ts'

type ReproduceOptions = GlobalOptions & {
  table?: number
  check?: boolean
  practice?: number | true
  model?: string
  endpoint?: string
  use?: string[]
  taskFile?: string[]
  base?: string
  expert?: string[]
  loop?: string[]
  maxCost?: number
  parallel: number
}

const fewTasks = 2

export function addReproduceCommand(program: Command, terminal: Terminal): void {
  program
    .command('reproduce')
    .description("Play the runs behind a paper's table, and print its numbers beside those of the runs.")
    .argument('<recipe>', paperRecipes.map(({ id }) => id).join(', '))
    .option('--check', 'only list the requirements and whether each is met; exit code 1 if one is missing')
    .option('--table <n>', 'only this table of the recipe', parseNumber)
    .option('--model <id>', "the model that replaces the paper's")
    .option('--endpoint <name>', 'endpoint of the model (default: openai, or simulated)')
    .option(
      '--use <key=endpoint:model>',
      'a trained or smaller model that the recipe uses; may be given several times',
      collect,
    )
    .option('--task-file <column=path>', "a paper's list of tasks; may be given several times", collect)
    .option(
      '--practice [n]',
      `play only this many tasks of built-in data in each run (default: ${fewTasks})`,
      parseNumber,
    )
    .option(
      '--base <model>',
      "train the recipe's models from this one, by its loop: a registered model, a folder, or a name on the hub",
    )
    .option(
      '--expert <environment=id>',
      'a run or imported trajectories that the loop learns from; may be given several times',
      collect,
    )
    .option(
      '--loop <environment=path>',
      'a JSON file with further settings of the loop, such as its trainer; may be given several times',
      collect,
    )
    .option('--max-cost <dollars>', 'cap on the cost of all loops and runs together', parseNumber)
    .option('--parallel <n>', 'number of runs at a time', parseCount, 1)
    .addHelpText(
      'after',
      '\nExample: espalier reproduce eto --check --model small\n         espalier reproduce learnact --practice --model simulated',
    )
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReproduceOptions>()
      const recipe = findPaperRecipe(id)
      const choice = await choiceOf(recipe, options)
      if (options.check) {
        await lookAt(options, terminal, ({ client }) => check(client, recipe, choice, options, terminal))
      } else {
        await withConnection(options, terminal, (connection) =>
          play(connection, recipe, choice, options, terminal),
        )
      }
    })
}

async function check(
  client: ApiClient,
  recipe: PaperRecipe,
  choice: PaperChoice,
  options: ReproduceOptions,
  terminal: Terminal,
): Promise<void> {
  const { supposed, trainings } = await planModels(client, recipe, choice)
  const cells = await checkCells(client, paperCells(recipe, supposed))
  const needs = checkNeeds(recipe, choice, cells, trainings)
  const missing = needs.filter(({ ok }) => ok === false).length
  const value = { object: 'recipe_check', recipe: recipe.id, ok: missing === 0, needs }
  printResult(terminal, options, value, () => [
    ...wrap(`${recipe.id}: ${recipe.paper}`, terminal.columns),
    ...formatNeeds(needs, terminal.columns),
  ])
  if (missing === 0) return
  throw new CommandError('recipe_incomplete', `${missing} of ${needs.length} needs are missing.`, 1, {
    isPrinted: true,
  })
}

async function play(
  connection: Connection,
  recipe: PaperRecipe,
  choice: PaperChoice,
  options: ReproduceOptions,
  terminal: Terminal,
): Promise<void> {
  const { client, embedded } = connection
  const plan = await planModels(client, recipe, choice)
  const { made, spent, trained } = await trainPlanned(connection, plan, options, terminal)
  const checked = await checkCells(client, paperCells(recipe, trained))
  const playable = checked.filter(({ reason }) => reason === null)
  if (playable.length === 0) {
    throw new CommandError(
      'recipe_incomplete',
      `Nothing of ${recipe.id} can be played: ${(checked[0]?.reason ?? 'the table has no runs').replace(/\.$/, '')}. See \`espalier reproduce ${recipe.id} --check\`.`,
    )
  }
  const sweep: Sweep = {
    name: sweepName(recipe, choice),
    environments: [],
    models: [],
    seeds: [0],
    run: {},
    budget: options.maxCost === undefined ? {} : { cost: Math.max(options.maxCost - spent, leastDollars) },
    parallel: options.parallel,
  }
  const found = await findCells(
    client,
    sweep,
    playable.map(({ cell }) => cell),
  )
  const again = nextCommand(terminal, options, `reproduce ${recipe.id}`)
  const isStopped = await watchSweep({ client, embedded }, { sweep, cells: found, again }, terminal)
  const cells: ReproducedCell[] = []
  for (const each of checked) {
    const run = found.find(({ name }) => name === each.cell.name)?.run ?? null
    cells.push({ ...each, run, report: run === null ? null : await client.report(run.id) })
  }
  const deviations = made.length === 0 ? [] : await deviationsOf(client, recipe)
  print({ recipe, choice, cells, made, deviations }, options, terminal)
  checkEnd(cells, isStopped)
}

async function deviationsOf(client: ApiClient, { training }: PaperRecipe): Promise<string[]> {
  const { data } = await client.loopRecipes()
  return data.find(({ id }) => id === training?.loop)?.deviations ?? []
}

interface Reproduction {
  recipe: PaperRecipe
  choice: PaperChoice
  cells: readonly ReproducedCell[]
  made: readonly TrainedModels[]
  deviations: readonly string[]
}

function print(
  { recipe, choice, cells, made, deviations }: Reproduction,
  options: ReproduceOptions,
  terminal: Terminal,
): void {
  const { table: only } = choice
  const tables = recipe.tables.filter((_, at) => only === null || only === at + 1)
  const shown = tables.map((table) => ({ table, values: valuesOf(table, cells) }))
  const differences = differencesOf(recipe, tables, cells, { trained: made, deviations })
  const value = {
    object: 'reproduction',
    recipe: recipe.id,
    paper: recipe.paper,
    loops: made.map(({ environment, loop, models }) => ({ environment, loop: loop.id, models })),
    tables: shown.map(({ table, values }) => ({ title: table.title, source: table.source, values })),
    differences,
  }
  printResult(terminal, options, value, () => [
    ...shown.flatMap(({ table, values }) => [...formatValues(table, values, terminal.columns), '']),
    'Differences from the terms of the paper',
    ...differences.flatMap((text) => wrap(`- ${text}`, terminal.columns)),
    '',
    `Compare the runs: ${nextCommand(terminal, options, `leaderboard --experiment ${sweepName(recipe, choice)}`)}`,
  ])
}

function checkEnd(cells: readonly ReproducedCell[], isStopped: boolean): void {
  const open = cells.filter(({ run, reason }) => reason === null && run?.status !== 'succeeded')
  if (open.length === 0) return
  const why = isStopped
    ? 'The budget allows no more'
    : `The first: ${open[0]?.run?.status_reason ?? 'it failed'}`
  throw new CommandError('recipe_incomplete', `${open.length} runs have not completed. ${why}.`, 1, {
    isPrinted: true,
  })
}

async function choiceOf(recipe: PaperRecipe, options: ReproduceOptions): Promise<PaperChoice> {
  const { endpoint, model, practice, table = null } = options
  if (table !== null && recipe.tables[table - 1] === undefined) {
    throw wrongUsage(`--table: ${recipe.id} has the tables 1 to ${recipe.tables.length}.`)
  }
  if (typeof practice === 'number' && !(Number.isInteger(practice) && practice > 0))
    throw wrongUsage('--practice: give a whole number of tasks, from 1.')
  const usual = model === 'simulated' ? 'simulated' : 'openai'
  const lists: Record<string, string[]> = {}
  for (const [label, path] of pairsOf('--task-file', options.taskFile)) {
    const column = recipe.tables.flatMap(({ columns }) => columns).find((each) => each.label === label)
    if (column === undefined) throw wrongUsage(`--task-file: ${recipe.id} has no column "${label}".`)
    lists[label] = await readTaskFile(path, await readText(path), column.environment)
  }
  return {
    model: model === undefined ? null : { endpoint: endpoint ?? usual, id: model },
    uses: Object.fromEntries(
      pairsOf('--use', options.use).map(([key, text]) => [key, toModel(recipe, key, text)]),
    ),
    lists,
    practice: practice === undefined ? null : practice === true ? fewTasks : practice,
    table,
    ...(await loopsOf(recipe, options)),
    trained: {},
  }
}

async function loopsOf(
  recipe: PaperRecipe,
  { base, expert, loop }: ReproduceOptions,
): Promise<Pick<PaperChoice, 'base' | 'loops'>> {
  const given = { '--base': base, '--expert': expert, '--loop': loop }
  const [unused] = Object.entries(given).find(([, value]) => value !== undefined) ?? []
  if (unused !== undefined && recipe.training === undefined)
    throw wrongUsage(`${unused}: ${recipe.id} trains no model.`)
  if (unused !== undefined && base === undefined)
    throw wrongUsage(`${unused}: give the model that the loop starts from as --base.`)
  const places = new Set(Object.entries(recipe.practice).flat())
  const loops: Record<string, JsonObject> = {}
  const known = (option: string, environment: string) => {
    if (!places.has(environment))
      throw wrongUsage(`${option}: ${recipe.id} plays ${[...places].join(', ')}, not "${environment}".`)
  }
  for (const [environment, path] of pairsOf('--loop', loop)) {
    known('--loop', environment)
    loops[environment] = await readLoopFile(path)
  }
  for (const [environment, id] of pairsOf('--expert', expert)) {
    known('--expert', environment)
    const file = loops[environment] ?? {}
    loops[environment] = { ...file, experts: [...((file.experts as string[] | undefined) ?? []), id] }
  }
  return { base: base ?? null, loops }
}

function toModel(recipe: PaperRecipe, key: string, text: string): NamedModel {
  const keys = Object.keys(recipe.uses ?? {})
  if (!keys.includes(key))
    throw wrongUsage(`--use: ${recipe.id} uses ${keys.join(', ') || 'no other model'}, not "${key}".`)
  const at = text.indexOf(':')
  if (at < 1 || at === text.length - 1) throw wrongUsage(`--use ${key}=${text}: give ENDPOINT:MODEL.`)
  return { endpoint: text.slice(0, at), id: text.slice(at + 1) }
}

function pairsOf(option: string, given: readonly string[] = []): [string, string][] {
  return given.map((text) => {
    const at = text.indexOf('=')
    if (at < 1) throw wrongUsage(`${option} ${text}: give NAME=VALUE.`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
}
