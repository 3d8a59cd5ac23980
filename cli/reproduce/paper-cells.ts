import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { builtinData } from '../../shared/environments/open-environments.ts'
import type { PaperColumn, PaperRecipe, PaperRow } from '../../shared/insight/recipes/recipe.ts'
import { markCell, type SweepCell } from '../sweep/sweep-cells.ts'

export interface NamedModel {
  endpoint: string
  id: string
}

export interface PaperChoice {
  model: NamedModel | null
  uses: Readonly<Record<string, NamedModel>>
  // Ids of tasks by the label of a column.
  lists: Readonly<Record<string, string[]>>
  // Tasks of each run with `--practice`; null: the paper's tasks.
  practice: number | null
  table: number | null
  // The base that loops train, as `espalier loop --base` takes it; null: none is trained.
  base: string | null
  // By environment: fields of its loop's request.
  loops: Readonly<Record<string, JsonObject>>
  // By environment: the models that its loop made, by the keys of `uses`, or the reason for having none.
  trained: Readonly<Record<string, Readonly<Record<string, NamedModel>> | string>>
}

export interface PaperCell extends SweepCell {
  table: number
  row: PaperRow
  column: PaperColumn
  // The reason for playing nothing; null: it can be played.
  lacks: string | null
}

// The cells of the chosen tables. In practice each row plays an environment once, with built-in data.
export function paperCells(recipe: PaperRecipe, choice: PaperChoice): PaperCell[] {
  return recipe.tables.flatMap((table, at) => {
    if (choice.table !== null && choice.table !== at + 1) return []
    return table.rows.flatMap((row) => {
      const columns = table.columns.filter(
        ({ environment }) => row.environments?.includes(environment) !== false,
      )
      const played = choice.practice === null ? columns : practiceColumns(recipe, columns)
      return row.preset === undefined
        ? []
        : played.map((column) => toCell(recipe, choice, { table: at + 1, row, column }))
    })
  })
}

// One column for each environment of the practice: its own, else the first that it stands for.
function practiceColumns({ practice }: PaperRecipe, columns: readonly PaperColumn[]): PaperColumn[] {
  const groups = Map.groupBy(columns, ({ environment }) => practice[environment] ?? environment)
  return [...groups].flatMap(
    ([place, own]) => own.find(({ environment }) => environment === place) ?? own[0] ?? [],
  )
}

function toCell(
  recipe: PaperRecipe,
  choice: PaperChoice,
  place: Pick<PaperCell, 'table' | 'row' | 'column'>,
): PaperCell {
  const { table, row, column } = place
  const { practice } = choice
  const environment = playedEnvironment(recipe, choice, column)
  const model = row.uses === undefined ? choice.model : usedModel(recipe, choice, row.uses, environment)
  const request: JsonObject = {
    preset: row.preset ?? null,
    environment,
    ...(practice !== null && { data: builtinData }),
    ...tasksOf(column, choice),
    ...(row.method !== undefined && { method: row.method }),
    model: { ...(model ?? { endpoint: '', id: '' }) },
    ...(row.keeps !== undefined && choice.model !== null && { roles: { [row.keeps]: { ...choice.model } } }),
    name: `${recipe.id} · ${row.label} · ${column.label}`,
    experiment: sweepName(recipe, choice),
  }
  const name = `table ${table} · ${row.label} · ${column.label}`
  return {
    ...markCell(sweepName(recipe, choice), { name, request }),
    ...place,
    lacks: lacksOf(place, choice, model, environment),
  }
}

export function playedEnvironment(
  { practice: places }: PaperRecipe,
  { practice }: PaperChoice,
  { environment }: PaperColumn,
): string {
  return (practice === null ? undefined : places[environment]) ?? environment
}

export function sweepName({ id }: PaperRecipe, { base, practice }: PaperChoice): string {
  return `${practice === null ? 'reproduce' : 'practice'}-${id}${base === null ? '' : '-trained'}`
}

function usedModel(
  { training }: PaperRecipe,
  { base, model, practice, trained, uses }: PaperChoice,
  key: string,
  environment: string,
): NamedModel | null {
  const own = uses[key]
  if (own !== undefined) return own
  if (base === null || training?.models[key] === undefined) return practice === null ? null : model
  const made = trained[environment]
  return typeof made === 'object' ? (made[key] ?? null) : null
}

export function tasksOf({ label, tasks }: PaperColumn, { lists, practice }: PaperChoice): JsonObject {
  if (practice !== null) return { tasks: { split: 'test', limit: practice } }
  const ids = lists[label]
  return ids !== undefined ? { tasks: { ids } } : tasks === undefined ? {} : { tasks }
}

function lacksOf(
  { row, column }: Pick<PaperCell, 'row' | 'column'>,
  { lists, practice, trained }: PaperChoice,
  model: NamedModel | null,
  environment: string,
): string | null {
  if (model === null) {
    const why = trained[environment]
    if (row.uses !== undefined && typeof why === 'string') return why
    return row.uses === undefined ? 'give --model' : `give --use ${row.uses}=ENDPOINT:MODEL`
  }
  if (practice === null && column.list !== undefined && lists[column.label] === undefined) {
    return `give --task-file "${column.label}=PATH": ${column.list}`
  }
  return null
}
