import type { Dataset, DatasetFile, DatasetRequest } from '../contracts/dataset.ts'
import type { Episode } from '../contracts/episode.ts'
import type { Run } from '../contracts/run.ts'
import type { Runs } from '../engine/runs/runs.ts'
import type { Objects } from '../world/ports.ts'
import { datasetCard } from './dataset-card.ts'
import { openaiChatLine } from './formats/openai-chat.ts'
import { type PackedFile, packFile } from './gzip-lines.ts'
import { type SftRow, sftRow } from './kinds/sft.ts'
import { listEpisodePages } from './list-episode-pages.ts'
import { readTree } from './read-tree.ts'
import { type LeftOutReason, leftOutReasons, type ScoredResult, selectEpisode } from './select-episode.ts'
import { datasetKey, type Shard, shardFileName } from './shard.ts'
import { ShardWriter } from './shard-writer.ts'

const kinds = { sft: sftRow } satisfies Record<DatasetRequest['kind'], unknown>
const formats = { 'openai-chat': openaiChatLine } satisfies Record<DatasetRequest['format'], unknown>

/** Trees read at once: enough to hide the latency of S3, few enough to hold in memory. */
const treesAtOnce = 16

export interface BuildNeeds {
  objects: Objects
  runs: Pick<Runs, 'get' | 'episodes' | 'tree'>
  /** The shards that an earlier start of the same build has committed, in order. */
  shards: Shard[]
  /** Called when a shard is about to be written; throws when another builder has taken over. */
  beforeShard(): Promise<void>
  /** Called when a shard is stored; when it returns, the shard survives a kill. */
  commit(shard: Shard): Promise<void>
  signal?: AbortSignal | undefined
}

/**
 * Writes the dataset's files: shards run after run and episode after episode, `README.md`, and last `manifest.json`,
 * which is also returned. Memory holds one shard and a few trees. Episodes that give no row are counted by reason. The
 * same request over the same runs gives the same bytes, whether or not the build was stopped on the way; only the
 * manifest carries the dataset's own id and time.
 */
export async function buildDataset(dataset: Dataset, needs: BuildNeeds): Promise<Dataset> {
  const { objects, runs, signal } = needs
  const { request } = dataset
  const shards = [...needs.shards]
  const start = shards.at(-1)
  const leftOut = new Map(Object.entries(start?.left_out ?? {}))
  const sources: Run[] = []
  let rows = start?.rows ?? 0
  let writer = new ShardWriter(request.rows_per_file)

  async function endShard(run: number, after: string | null): Promise<void> {
    const number = shards.length + 1
    const packed = await writer.end()
    await needs.beforeShard()
    const count = writer.rows
    const data = await store(shardFileName('data', number), packed.data, 'application/gzip', count)
    const lineage = await store(shardFileName('lineage', number), packed.lineage, 'application/gzip', count)
    const shard = { number, data, lineage, run, after, rows, left_out: countsOf(leftOut) }
    await needs.commit(shard)
    shards.push(shard)
    writer = new ShardWriter(request.rows_per_file)
  }

  async function store(
    name: string,
    file: PackedFile,
    contentType: string,
    count: number | null,
  ): Promise<DatasetFile> {
    await objects.put(datasetKey(dataset.id, name), file.body, { content_type: contentType })
    return { name, rows: count, bytes: file.bytes, sha256: file.sha256 }
  }

  async function addRun(index: number, run: Run): Promise<void> {
    const after = index === start?.run ? start.after : null
    let last = after
    for await (const episodes of listEpisodePages(runs, run.id, { after, pageSize: 1000 })) {
      for (let first = 0; first < episodes.length; first += treesAtOnce) {
        signal?.throwIfAborted()
        const batch = episodes.slice(first, first + treesAtOnce)
        const outcomes = await Promise.all(batch.map((episode) => readRow(needs, request, episode)))
        for (const [position, outcome] of outcomes.entries()) {
          last = batch[position]?.id ?? last
          if (typeof outcome === 'string') {
            leftOut.set(outcome, (leftOut.get(outcome) ?? 0) + 1)
            continue
          }
          rows += 1
          await writer.add(formats[request.format](outcome.row), originOf(run, outcome))
          if (writer.full) await endShard(index, last)
        }
      }
    }
    if (index === request.runs.length - 1 && writer.rows > 0) await endShard(index, last)
  }

  try {
    for (const [index, id] of request.runs.entries()) {
      signal?.throwIfAborted()
      const run = await runs.get(id)
      sources.push(run)
      if (index >= (start?.run ?? 0)) await addRun(index, run)
    }
  } finally {
    writer.discard()
  }

  const counts = countsOf(leftOut)
  await needs.beforeShard()
  const card = packFile(Buffer.from(datasetCard({ request, rows, leftOut: counts, sources })))
  const files = [
    ...shards.flatMap(({ data, lineage }) => [data, lineage]),
    await store('README.md', card, 'text/markdown; charset=utf-8', null),
  ]
  const manifest: Dataset = { ...dataset, status: 'succeeded', error: null, rows, left_out: counts, files }
  await store('manifest.json', packFile(manifestBody(manifest)), 'application/json', null)
  return manifest
}

interface FoundRow {
  episode: Episode
  result: ScoredResult
  row: SftRow
}

async function readRow(
  needs: BuildNeeds,
  request: DatasetRequest,
  episode: Episode,
): Promise<FoundRow | LeftOutReason> {
  const result = selectEpisode(episode, request)
  if (typeof result === 'string') return result
  const row = kinds[request.kind](await readTree(needs, episode.run, episode.id))
  return typeof row === 'string' ? row : { episode, result, row }
}

function originOf(run: Run, { episode, result, row }: FoundRow) {
  const { environment, data = null, method, model } = run.request
  return {
    run: run.id,
    episode: episode.id,
    attempt: result.attempt,
    task: episode.task,
    environment,
    data,
    method: method.id,
    model: `${model.endpoint}/${model.id}`,
    node_ids: row.node_ids,
    reward: result.reward,
  }
}

/** The counts in the order of the reasons' list, so that equal counts are equal bytes. */
function countsOf(leftOut: Map<string, number>): Record<string, number> {
  const reasons = Object.keys(leftOutReasons)
  return Object.fromEntries(
    reasons.map((reason) => [reason, leftOut.get(reason) ?? 0] as const).filter(([, count]) => count > 0),
  )
}

function manifestBody(manifest: Dataset): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
}
