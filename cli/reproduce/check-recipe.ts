import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { ApiError } from '../../shared/core/client/api-error.ts'
import { formatMoney } from '../../shared/core/client/format-quantity.ts'
import type { RunEstimate } from '../../shared/core/contracts/estimate.ts'
import type { PaperRecipe } from '../../shared/insight/recipes/recipe.ts'
import { wrap } from '../fit-text.ts'
import type { PaperCell, PaperChoice } from './paper-cells.ts'

export interface CheckedCell {
  cell: PaperCell
  estimate: RunEstimate | null
  // Tasks of one epoch; null: the service refused the run, or was not asked.
  tasks: number | null
  reason: string | null
}

export interface CheckedNeed {
  need: string
  states: string
  // Null: not checked.
  ok: boolean | null
  here: string
}

// Asks the service for the estimate of each cell: it refuses those that lack data, machines or models.
export async function checkCells(
  client: Pick<ApiClient, 'estimateRun'>,
  cells: readonly PaperCell[],
): Promise<CheckedCell[]> {
  const checked: CheckedCell[] = []
  for (const cell of cells) {
    if (cell.lacks !== null) {
      checked.push({ cell, estimate: null, tasks: null, reason: cell.lacks })
      continue
    }
    try {
      const estimate = await client.estimateRun(cell.request)
      const { episodes, learning_episodes } = await client.estimateRun({ ...cell.request, epochs: 1 })
      checked.push({ cell, estimate, tasks: episodes.at_most - learning_episodes, reason: null })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      checked.push({ cell, estimate: null, tasks: null, reason: error.message })
    }
  }
  return checked
}

export function checkNeeds(
  recipe: PaperRecipe,
  choice: PaperChoice,
  checked: readonly CheckedCell[],
  trainings: readonly CheckedNeed[],
): CheckedNeed[] {
  const { base, model } = choice
  return [
    {
      need: 'model',
      states: recipe.models,
      ok: model !== null,
      here: model === null ? 'give --model' : `${model.endpoint}/${model.id}`,
    },
    ...Object.entries(recipe.uses ?? {}).map(([key, states]): CheckedNeed => {
      const need = `model ${key}`
      const own = choice.uses[key]
      if (own !== undefined) return { need, states, ok: true, here: `${own.endpoint}/${own.id}` }
      const isTrained = recipe.training?.models[key] !== undefined
      if (isTrained && base !== null) {
        return { need, states, ok: trainings.every(({ ok }) => ok), here: `trained here from ${base}` }
      }
      const more = isTrained ? ', or --base MODEL to train it here' : ''
      return { need, states, ok: false, here: `give --use ${key}=ENDPOINT:MODEL${more}` }
    }),
    ...trainings,
    ...columnsOf(checked).map((cells) => checkColumn(recipe, choice, cells)),
    ...recipe.needs.map((need): CheckedNeed => ({ ...need, ok: null, here: 'not checked' })),
    moneyOf(checked),
  ]
}

export function formatNeeds(needs: readonly CheckedNeed[], width: number): string[] {
  return needs.flatMap(({ need, states, ok, here }) => [
    ...wrap(`${ok === null ? '?' : ok ? '✓' : '✗'} ${need}: ${states}`, width),
    ...wrap(here, width - 8).map((line, at) => `${at === 0 ? '  here: ' : '        '}${line}`),
  ])
}

function checkColumn(
  recipe: PaperRecipe,
  { practice }: PaperChoice,
  cells: readonly CheckedCell[],
): CheckedNeed {
  const [first] = cells
  const { column, request } = (first as CheckedCell).cell
  const found = cells.find(({ tasks }) => tasks !== null)
  const needed = practice ?? column.count
  const data = recipe.data[column.environment] ?? 'none'
  const list = column.list === undefined ? '' : `; ${column.list}`
  const states = `${column.count === null ? 'tasks not known' : `${column.count} tasks`} of ${column.environment}. Data: ${data}${list}`
  const reason = cells.find((each) => each.reason !== null)?.reason
  const here =
    found === undefined
      ? (reason ?? 'nothing to play')
      : `${found.tasks} tasks of ${request.environment as string}${needed === null || needed === found.tasks ? '' : `, in place of ${needed}`}`
  const ok = found !== undefined && (needed === null || needed === found.tasks)
  return { need: `tasks of ${column.label}`, states, ok, here }
}

function columnsOf(checked: readonly CheckedCell[]): CheckedCell[][] {
  return [...Map.groupBy(checked, ({ cell }) => cell.column.label).values()]
}

function moneyOf(checked: readonly CheckedCell[]): CheckedNeed {
  const costs = checked.flatMap(({ estimate }) => (estimate === null ? [] : [estimate.cost]))
  const known = costs.flatMap((cost) => cost ?? [])
  const sum = (field: 'expected' | 'at_most') => known.reduce((total, each) => total + each[field], 0)
  const asked = `${costs.length} of ${checked.length} runs`
  const here =
    costs.length === 0
      ? 'no run can be estimated'
      : known.length < costs.length
        ? `${asked} can be played; an endpoint states no price`
        : `${asked} can be played, expected ${formatMoney(sum('expected'))}, at most ${formatMoney(sum('at_most'))}`
  return { need: 'money', states: 'our fact sheet of the paper does not state it', ok: null, here }
}
