import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { wellFormed } from '../../shared/core/contracts/well-formed.ts'
import { type LoggedCounts, toInspectHeader } from '../../shared/data/exports/inspect-header.ts'
import { inspectSampleId, toInspectSample } from '../../shared/data/exports/inspect-sample.ts'
import { type ExportClient, readEpisodes } from '../../shared/data/exports/read-episodes.ts'

export interface WrittenLog {
  file: string
  counts: LoggedCounts
}

/**
 * Writes a run as an Inspect log: a ZIP archive with a sample for each ended episode, `summaries.json` and
 * `header.json`.
 * @param place.address the service's HTTP address; null if it has none
 */
export async function writeInspectLog(
  client: ExportClient,
  run: Run,
  { folder, address }: { folder: string; address: string | null },
): Promise<WrittenLog> {
  const file = `${run.created_at.replace(/[:.]/g, '-')}_${run.request.environment}_${run.id}.eval`
  const archive = new ZipFile()
  const output = createWriteStream(join(folder, file))
  const written = pipeline(archive.outputStream, output)
  try {
    const counts = await addSamples(archive, client, run, address)
    archive.end()
    await written
    return { file, counts }
  } catch (error) {
    output.destroy()
    await written.catch(() => {})
    throw error
  }
}

async function addSamples(
  archive: ZipFile,
  client: ExportClient,
  run: Run,
  address: string | null,
): Promise<LoggedCounts> {
  const add = (name: string, value: object) => {
    // The run's time, so that the same run produces the same bytes.
    archive.addBuffer(Buffer.from(JSON.stringify(wellFormed(value))), name, {
      mtime: new Date(run.created_at),
    })
  }
  const summaries: JsonObject[] = []
  const sampleIds = new Set<string>()
  const counts: LoggedCounts = { samples: 0, errors: 0, others: 0, unfinished: 0 }
  for await (const exported of readEpisodes(client, run, { trajectory: true, calls: true })) {
    const { purpose, task } = exported.episode
    if (purpose === 'play') sampleIds.add(inspectSampleId(task))
    const made = toInspectSample(exported, address)
    if (made === null) {
      counts[purpose === 'play' ? 'unfinished' : 'others'] += 1
      continue
    }
    counts.samples += 1
    if ('error' in made.summary) counts.errors += 1
    summaries.push(made.summary)
    add(made.path, made.sample)
  }
  const header = toInspectHeader(run, await client.report(run.id), counts, [...sampleIds])
  add('_journal/start.json', { version: 2, eval: header.eval ?? null, plan: header.plan ?? null })
  add('summaries.json', summaries)
  add('header.json', header)
  return counts
}
