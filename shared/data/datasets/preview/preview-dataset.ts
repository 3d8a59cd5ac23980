import type { DatasetRequest } from '../../../core/contracts/dataset.ts'
import type { DatasetPreview, ForeseenRow } from '../../../core/contracts/dataset-preview.ts'
import { gates } from '../../../core/contracts/gates.ts'
import type { Objects } from '../../../core/world/ports.ts'
import { findFormat } from '../../formats/formats.ts'
import { annotationModel } from '../annotation-model.ts'
import { LeftOut } from '../build/left-out.ts'
import { StructureOfRows } from '../build/row-structure.ts'
import { findKind } from '../dataset-kinds.ts'
import { Gatekeeper } from '../gates/gatekeeper.ts'
import { type AttemptNeeds, openAttempts } from '../open-attempts.ts'
import { openTokenizer } from '../tokens/open-tokenizer.ts'
import { type FoundText, findFirstRows } from './find-first-rows.ts'
import { type FirstTasks, firstTasks } from './first-tasks.ts'
import { signPictures } from './shown-pictures.ts'

const mostShown = 20
/** Maximum bytes of rows: a Lambda function answers with six megabytes at most, and a preview is not stored. */
const mostBytes = 4_000_000

/**
 * Previews a request by the first tasks of its sources, with some fifty trees read. Stores nothing, and asks no
 * model. The gates see only the found rows, so they miss equal rows and held-out prompts among the others.
 *
 * @param request - as checked, with every default
 * @param now - milliseconds; ends a slow preview early
 */
export async function previewDataset(
  needs: AttemptNeeds,
  request: DatasetRequest,
  now: () => number,
): Promise<DatasetPreview> {
  const attempts = openAttempts(needs)
  const first = await firstTasks(request, { attempts, splitsOf: needs.splitsOf })
  const leftOut = new LeftOut()
  const found = await findFirstRows({
    request,
    attempts,
    first,
    leftOut,
    kind: findKind(request.kind),
    format: findFormat(request.format),
    tokenizer: await openTokenizer(request.gates.tokenizer),
    now,
  })
  const keeper = new Gatekeeper(request.gates, request.kind)
  const drops = dropsOf(keeper, found.rows)
  const shown = await shownRows(needs.objects, found.rows, drops)
  const isIn = found.rows.filter((_, index) => drops[index] === null)
  const structure = new StructureOfRows()
  for (const { thoughts } of isIn) structure.add({ calls: false, flat_tokens: 0, thoughts })
  return {
    object: 'dataset_preview',
    request,
    complete: first.complete && found.complete,
    listed: { episodes: first.listed, left_out: first.plan.left_out },
    read: { tasks: found.tasks, attempts: found.attempts, left_out: leftOut.counts() },
    rows_found: found.rows.length,
    gates: keeper.counts(),
    tokens: keeper.tokens(),
    ...(request.pictures !== undefined && { pictures: picturesOf(isIn) }),
    rows: shown.rows,
    asks: await asked(needs, request, first),
    warnings: [
      ...first.warnings,
      ...shown.warnings,
      ...structure.warnings(findFormat(request.format), request.kind),
    ],
  }
}

function dropsOf(keeper: Gatekeeper, rows: readonly FoundText[]): ForeseenRow['dropped'][] {
  for (const { lineage, marks } of rows) {
    keeper.foresee({ task_split: lineage.task_split, prompt: marks.prompt })
  }
  return rows.map(({ lineage, marks, same_action, task, unfit }) => {
    const facts = { task, same_action, task_split: lineage.task_split, unfit: unfit !== null, split: null }
    const gate = keeper.take({ ...marks, ...facts })
    if (gate === null) return null
    const reason = { wrong_loss_mask: marks.mask, unfit }[gate as string]
    return { gate, reason: reason ?? gates[gate] }
  })
}

function picturesOf(rows: readonly FoundText[]): NonNullable<DatasetPreview['pictures']> {
  const shown = rows.map(({ lineage }) => lineage.pictures ?? [])
  const left = rows.map(({ left_out_pictures }) => left_out_pictures)
  return {
    rows: shown.filter(({ length }) => length > 0).length,
    files: new Set(shown.flat()).size,
    left_out: left.reduce((sum, count) => sum + count, 0),
    rows_without: left.filter((count) => count > 0).length,
  }
}

async function shownRows(
  objects: Pick<Objects, 'sign'>,
  rows: readonly FoundText[],
  drops: readonly ForeseenRow['dropped'][],
): Promise<Pick<DatasetPreview, 'rows' | 'warnings'>> {
  const shown: ForeseenRow[] = []
  let left = mostBytes
  for (const [index, { data, lineage, parts }] of rows.slice(0, mostShown).entries()) {
    const row: ForeseenRow = {
      id: String(index),
      object: 'dataset_row',
      data,
      parts: await signPictures(objects, parts),
      lineage: { row: index, ...lineage },
      dropped: drops[index] ?? null,
    }
    const bytes = Buffer.byteLength(JSON.stringify(row))
    left -= bytes
    if (left >= 0) shown.push(row)
    else if (shown.length > 0) break
    else {
      const warning = `The first row has ${bytes.toLocaleString('en')} bytes, which is too long to be shown here.`
      return { rows: [], warnings: [warning] }
    }
  }
  return { rows: shown, warnings: [] }
}

async function asked(
  { runs, trajectories }: AttemptNeeds,
  request: DatasetRequest,
  { plan, complete }: FirstTasks,
): Promise<DatasetPreview['asks']> {
  const { kind, parameters, model } = request
  if ((findKind(kind).annotator?.(parameters) ?? null) === null) return null
  const firstRun = request.runs[0] === undefined ? null : await runs.get(request.runs[0])
  const { endpoint, id } = annotationModel(model, firstRun?.request ?? null)
  if (complete) return { episodes: plan.attempts, endpoint, model: id }
  let episodes = 0
  for (const source of request.runs) {
    const { succeeded, failed, limited } = (await runs.get(source)).episodes
    episodes += succeeded + failed + limited
  }
  for (const source of request.trajectories) episodes += (await trajectories.get(source)).trajectories
  return { episodes, endpoint, model: id }
}
