import type { Dataset, DatasetFile } from '../../../core/contracts/dataset.ts'
import type { GateId } from '../../../core/contracts/gates.ts'
import { readObject } from '../../../core/engine/read-object.ts'
import type { Objects } from '../../../core/world/ports.ts'
import type { DatasetFormat } from '../../formats/trainer-format.ts'
import { assignSplits, type TaskPrompt } from '../assign-splits.ts'
import { pictureList } from '../built-datasets.ts'
import { datasetCard } from '../dataset-card.ts'
import { Gatekeeper } from '../gates/gatekeeper.ts'
import { type PackedFile, packFile } from '../gzip-lines.ts'
import { inOrder } from './in-order.ts'
import { LeftOut } from './left-out.ts'
import { type Mixed, type MixNeeds, mixIn } from './mix-in.ts'
import type { StoredPart } from './part.ts'
import type { partKeys } from './part-keys.ts'
import { readPartRows } from './part-rows.ts'
import { type PartTask, readPartTasks } from './part-tasks.ts'
import { PicturesOfRows } from './pictures-of-rows.ts'
import type { Plan } from './plan.ts'
import { resultWarnings } from './result-warnings.ts'
import { StructureOfRows } from './row-structure.ts'
import { datasetKey } from './shard.ts'
import { SplitFiles, type SplitFilesNeeds } from './split-files.ts'

const mostListed = 5

class RowFaults {
  readonly #counts = new Map<string, number>()

  add(gate: GateId, mask: string | null, unfit: string | null): void {
    if (gate === 'wrong_loss_mask') this.#count(`with a wrong loss mask: ${mask}`)
    if (gate === 'unfit') this.#count(`that the format cannot hold: ${unfit}`)
  }

  warnings(): string[] {
    return [...this.#counts]
      .slice(0, mostListed)
      .map(([fault, count]) => `Left out: ${count === 1 ? '1 row' : `${count} rows`} ${fault}.`)
  }

  #count(fault: string): void {
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1)
  }
}

const readAtOnce = 4

export interface AssembleNeeds extends Pick<SplitFilesNeeds, 'shards' | 'beforeShard' | 'commit' | 'signal'> {
  objects: Objects
  format: DatasetFormat
  plan: Plan
  keys: ReturnType<typeof partKeys>
  parts: StoredPart[]
  mixing: Omit<MixNeeds, 'format' | 'signal'>
}

/**
 * Streams the parts in their order through the gates into the dataset's files: shards, the format's companion files,
 * `README.md`, and last `manifest.json`, which is also returned. Memory holds a shard of each split and the gates'
 * data about rows.
 *
 * The same parts yield the same bytes, even after interruptions: on resume, the gates see every row again, and
 * writing continues after the last committed file. Only the manifest carries the dataset's own id and time.
 */
export async function assembleDataset(dataset: Dataset, needs: AssembleNeeds): Promise<Dataset> {
  const { format, parts, plan, signal } = needs
  const { request } = dataset
  const keeper = new Gatekeeper(request.gates, request.kind)
  const faults = new RowFaults()
  const structure = new StructureOfRows()
  const store = storeIn(needs.objects, dataset.id)
  const pictures = new PicturesOfRows(needs.objects, request.pictures, format)
  const files = new SplitFiles({ ...needs, request, store, readPictures: pictures.read })
  const splitOf = await foresee(dataset, needs, keeper, files.names)
  let seen = 0
  let mixed: Mixed | null = null
  try {
    for await (const { rows, tasks } of readPartRows(readPieces(needs))) {
      signal?.throwIfAborted()
      for (const row of rows) {
        const { marks, same_action, unfit, task: place, text, lineage } = row
        const task = tasks[place] as PartTask
        const split = splitOf(task.task)
        const facts = {
          task: task.task,
          task_split: task.task_split,
          unfit: unfit !== null,
          same_action,
        }
        seen += 1
        const gate = keeper.take({ ...marks, ...facts, split: request.splits === undefined ? null : split })
        if (gate === null) {
          pictures.add(row)
          structure.add(row)
          await files.add(split, { text, lineage, task, seen, pictures: row.pictures })
        } else faults.add(gate, marks.mask, unfit)
      }
    }
    if (request.mix !== undefined) {
      mixed = await mixIn(request, { files, keeper, seen, structure }, { ...needs.mixing, format, signal })
      seen = mixed.seen
    }
    await files.end(seen)
  } finally {
    files.discard()
  }

  const shown = await pictures.end(signal)
  const leftOut = new LeftOut()
  leftOut.addAll(plan.left_out)
  for (const part of parts) leftOut.addAll(part.left_out)
  const counted = {
    rows: files.rows,
    ...(mixed && { mixed: mixed.rows }),
    splits: files.counts(),
    left_out: leftOut.counts(),
    gates: keeper.counts(),
    tokens: keeper.tokens(),
    ...(shown && { pictures: shown.counts }),
  }
  const done: Dataset = {
    ...dataset,
    ...counted,
    status: 'succeeded',
    error: null,
    progress: { phase: 'done', parts: plan.parts, parts_done: plan.parts },
    warnings: [
      ...plan.warnings,
      ...faults.warnings(),
      ...structure.warnings(format, request.kind),
      ...structure.savings(counted.tokens.total),
      ...(mixed?.warnings ?? []),
      ...resultWarnings(request, counted),
    ],
    files: files.files(),
  }
  await needs.beforeShard()
  const title = request.name ?? `Espalier ${request.kind} rows`
  const isPictured = request.pictures === 'show'
  const facts = {
    kind: request.kind,
    title,
    files: files.dataFiles(),
    rows: files.rows,
    isPictured,
    structure: structure.facts,
  }
  if (shown !== null && shown.list !== null) {
    done.files.push(await store(pictureList, shown.list, 'application/gzip', null))
  }
  const readme = datasetCard({ dataset: done, format, facts, sources: plan.sources })
  for (const { name, content_type, text } of [
    ...format.companions(facts),
    { name: 'README.md', content_type: 'text/markdown; charset=utf-8', text: readme },
  ]) {
    done.files.push(await store(name, packFile(Buffer.from(text)), content_type, null))
  }
  const manifest = packFile(Buffer.from(`${JSON.stringify(done, null, 2)}\n`))
  await store('manifest.json', manifest, 'application/json', null)
  return done
}

async function foresee(
  { request: { seed, splits } }: Dataset,
  needs: AssembleNeeds,
  keeper: Gatekeeper,
  names: string[],
): Promise<(task: string) => number> {
  const pairs: TaskPrompt[] = []
  for await (const tasks of inOrder(needs.parts, readAtOnce, (part) => readTasks(needs, part))) {
    needs.signal?.throwIfAborted()
    for (const { task, task_split, prompts } of tasks) {
      for (const prompt of prompts) {
        const mayComeIn = keeper.foresee({ task_split, prompt })
        if (mayComeIn && splits !== undefined) pairs.push({ task, prompt })
      }
    }
  }
  if (splits === undefined) return () => 0
  const assigned = assignSplits(pairs, splits, seed)
  return (task) => names.indexOf(assigned.get(task) ?? '')
}

function readTasks({ keys, objects }: AssembleNeeds, { number, writer }: StoredPart): Promise<PartTask[]> {
  return readPartTasks(objects, keys.tasks(number, writer))
}

function readPieces(needs: AssembleNeeds) {
  const { keys, objects, parts } = needs
  const pieces = parts.flatMap((part) => Array.from({ length: part.pieces }, (_, piece) => ({ part, piece })))
  return inOrder(pieces, readAtOnce, async ({ part, piece }) => ({
    tasks: piece === 0 ? await readTasks(needs, part) : null,
    body: await readObject(objects, keys.rows(part.number, part.writer, piece)),
  }))
}

function storeIn(objects: Objects, dataset: string) {
  return async (
    name: string,
    file: PackedFile,
    contentType: string,
    rows: number | null,
  ): Promise<DatasetFile> => {
    await objects.put(datasetKey(dataset, name), file.body, { content_type: contentType })
    return { name, rows, bytes: file.bytes, sha256: file.sha256 }
  }
}
