import { formatNumber, noNumber } from '../../shared/core/client/format-quantity.ts'
import { describePassportDifference } from '../../shared/core/contracts/passport.ts'
import { provenanceNotices } from '../../shared/core/contracts/provenance.ts'
import type { Report } from '../../shared/core/contracts/report.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { TrainingBase } from '../../shared/core/contracts/training.ts'
import { differingTerms } from '../../shared/core/engine/runs/passport-of.ts'
import type { PaperRecipe, PaperTable } from '../../shared/insight/recipes/recipe.ts'
import { wrap } from '../fit-text.ts'
import { simulatedNotice } from '../format-report.ts'
import { formatTable } from '../format-table.ts'
import type { CheckedCell } from './check-recipe.ts'
import type { TrainedModels } from './train-models.ts'

export interface ReproducedCell extends CheckedCell {
  run: Run | null
  report: Report | null
}

export interface ReproducedValue {
  row: string
  column: string
  // In percent, as the paper's tables.
  paper: number | null
  here: number | null
  interval: [number, number] | null
  tasks: number | null
  run: string | null
}

export function valuesOf(table: PaperTable, cells: readonly ReproducedCell[]): ReproducedValue[] {
  return table.rows.flatMap((row) =>
    table.columns.flatMap((column, at): ReproducedValue[] => {
      if (row.environments?.includes(column.environment) === false) return []
      const found = cells.find(({ cell }) => cell.row === row && cell.column === column)
      const figure = found?.report?.[table.figure]
      const { ci = null, mean = null, tasks = null } = figure ?? {}
      return [
        {
          row: row.label,
          column: column.label,
          paper: row.published[at] ?? null,
          here: mean === null ? null : mean * 100,
          interval: ci === null ? null : [ci.lower * 100, ci.upper * 100],
          tasks,
          run: found?.run?.id ?? null,
        },
      ]
    }),
  )
}

export function formatValues(table: PaperTable, values: readonly ReproducedValue[], width: number): string[] {
  const right = 'right' as const
  const columns = [
    { header: 'row', flexible: 'wrap' as const },
    { header: 'column' },
    { header: 'paper', align: right },
    { header: 'here, 95 %', align: right },
    { header: 'tasks', align: right },
    { header: 'run' },
  ]
  const rows = values.map(({ row, column, paper, here, interval, tasks, run }) => [
    row,
    column,
    paper === null ? 'not known' : String(paper),
    `${formatNumber(here)}${interval === null ? '' : ` [${interval.map((bound) => formatNumber(bound)).join(', ')}]`}`,
    tasks === null ? noNumber : String(tasks),
    run ?? noNumber,
  ])
  const figure = table.figure === 'reward' ? 'mean reward × 100' : 'success rate, in percent'
  return [
    ...wrap(table.title, width),
    ...wrap(`${figure}; the paper's numbers: ${table.source}`, width),
    '',
    ...formatTable(columns, rows, width),
  ]
}

// Every known difference between the terms of the paper and those of the runs.
export function differencesOf(
  recipe: PaperRecipe,
  tables: readonly PaperTable[],
  cells: readonly ReproducedCell[],
  { trained, deviations }: { trained: readonly TrainedModels[]; deviations: readonly string[] },
): string[] {
  const played = cells.flatMap((each) => (each.run === null ? [] : [{ ...each, run: each.run }]))
  const models = new Set(played.map(({ run }) => `${run.request.model.endpoint}/${run.request.model.id}`))
  const columns = [...Map.groupBy(played, ({ cell }) => cell.column)]
  const unplayed = tables.flatMap(({ rows }) => rows.filter(({ preset }) => preset === undefined))
  const all = [
    ...(models.size === 0 ? [] : [`Models: the paper has ${recipe.models}; here ${[...models].join(', ')}.`]),
    ...columns.flatMap(([column, own]) => {
      const [first] = own
      const environment = first?.run.request.environment
      const stands = environment === column.environment ? '' : `, which stands for ${column.environment}`
      const count = first?.tasks ?? null
      if (stands === '' && count === column.count) return []
      return [
        `${column.label}: the paper has ${column.count ?? 'an unknown number of'} tasks; here ${count} of ${environment}${stands}.`,
      ]
    }),
    ...columns.flatMap(([column, own]) => {
      const passports = own.flatMap(({ run }) => run.passport ?? [])
      return differingTerms(passports).map(
        (term) => `${column.label}, between its rows: ${describePassportDifference(term)}.`,
      )
    }),
    ...trained.map(
      ({ environment, loop: { id, request, rounds } }) =>
        `Trained in ${environment}: ${id}, ${rounds.length - 1} rounds from ${nameOf(request.base)} by the trainer ${request.trainer}; the paper’s base is ${recipe.training?.base}.`,
    ),
    ...(trained.length === 0 ? [] : [...(recipe.training?.deviations ?? []), ...deviations]),
    ...played.flatMap(({ run: { request } }) =>
      typeof request.preset === 'object' ? request.preset.deviations : [],
    ),
    ...provenanceNotices(played.map(({ run }) => run)),
    ...unplayed.map(({ label, why }) => `${label} was not played: ${why}.`),
    ...cells.flatMap(({ cell, reason }) =>
      reason === null ? [] : [`${cell.row.label}, ${cell.column.label} was not played: ${reason}`],
    ),
    ...(played.some(({ report }) => report?.simulated === true) ? [simulatedNotice] : []),
  ]
  return [...new Set(all)]
}

function nameOf(base: TrainingBase): string {
  return 'hub' in base ? base.hub : 'folder' in base ? base.folder : base.registered
}
