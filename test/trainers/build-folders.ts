import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { buildDataset } from '../../cli/build-dataset.ts'
import { fetchDataset } from '../../cli/fetch-dataset.ts'
import { openClient } from '../../cli/open-client.ts'
import { openService } from '../../local/open-service.ts'
import type { DatasetKindId, DatasetRequestInput } from '../../shared/core/contracts/dataset.ts'
import { endpointSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import { datasetFormats, findFormat } from '../../shared/data/formats/formats.ts'

/** Formats with a field for calls. */
const structured = ['openai', 'trl', 'llama-factory', 'axolotl', 'parquet'] as const

const simulated = endpointSchema.parse({ kind: 'simulated', skill: 0.7, latency: 0 })

/**
 * What the folders hold: each kind; experts as ETO publishes them, to be imitated; and trajectories in two splits of several
 * files, for TRL alone.
 */
export type DatasetSet = DatasetKindId | 'experts' | 'divided' | CalledSet

/** Runs whose agent calls tools: `called` for each kind of chat that the formats with a field for calls take. */
export type CalledSet = `called-${'sft' | 'step-preference' | 'unpaired'}`

export const calledSets = (['sft', 'step-preference', 'unpaired'] as const).map((kind) => ({
  set: `called-${kind}` as const,
  kind,
  formats: structured.filter((format) => findFormat(format).kinds.includes(kind)),
}))

/** Conversations with an acknowledgement before the task, which is not the expert's to be learned. */
const experts = ['stick', 'plank', 'ladder', 'bowl'].map((item, index) => ({
  id: `expert-${index}`,
  conversations: [
    ['human', 'You craft items.'],
    ['gpt', 'OK'],
    ['human', `Goal: ${item}.`],
    ['gpt', `Thought: I need a log.\nAction: get ${index + 1} log`],
    ['human', 'Got it.'],
    ['gpt', `Thought: Now I can make it.\nAction: craft ${item}`],
  ].map(([from, value]) => ({ from, value })),
}))

/** How each kind is asked for: small enough to train on, and without a question to a model. */
const requests: Partial<Record<DatasetKindId, { source: 'search' | 'paths'; parameters?: JsonObject }>> = {
  sft: { source: 'paths' },
  preference: { source: 'paths' },
  'step-preference': { source: 'search' },
  revision: { source: 'search', parameters: { first_error: 'end', max_per_tree: 4 } },
  exploration: { source: 'search' },
  unpaired: { source: 'search', parameters: { level: 'step' } },
  'process-reward': { source: 'search' },
  prompts: { source: 'paths' },
}

/**
 * Plays two runs and imports experts in a service of its own, and builds a dataset of each {@link DatasetSet} in every format
 * that fits, in its folder `{set}/{format}`, as `espalier export` leaves it.
 */
export async function buildFolders(folder: string): Promise<void> {
  const service = await openService({
    folder: join(folder, 'service'),
    endpoints: new Map([['simulated', simulated]]),
    log: () => undefined,
  })
  const client = openClient({
    address: service.address,
    fetcher: (address, init) => service.app.request(address, init),
    signal: new AbortController().signal,
  })

  async function play(request: Partial<RunRequestInput>): Promise<Run> {
    const common = { environment: 'textcraft', model: { endpoint: 'simulated', id: 'simulated' } }
    let run = await client.createRun({ ...common, ...request } as RunRequestInput, randomUUID())
    while (run.ended_at === null) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      run = await client.run(run.id)
    }
    return run
  }

  async function importExperts(): Promise<string> {
    const { id } = await client.createImport({ format: 'eto', environment: 'textcraft' }, randomUUID())
    await client.appendRows(id, JSON.stringify(experts), { first: 1, more: false })
    return id
  }

  async function build(set: DatasetSet, request: DatasetRequestInput): Promise<void> {
    const dataset = await buildDataset(client, request, { interval: 20 })
    if (dataset.rows === 0)
      throw new Error(`${request.kind} in ${request.format}: ${dataset.warnings.join(' ')}`)
    const out = join(folder, set, String(request.format))
    await fetchDataset({ client, folder: null }, dataset, { out })
  }

  try {
    const tasks = { split: 'train', limit: 8 }
    const sources = {
      search: await play({ tasks, method: { id: 'mcts', iterations: 6, samples: 3, max_depth: 8 } }),
      paths: await play({ tasks, method: { id: 'react' }, epochs: 3 }),
      calledSearch: await play({
        tasks,
        method: { id: 'mcts', iterations: 6, samples: 3, max_depth: 8, actions: 'tools' },
      }),
      called: await play({ tasks, method: { id: 'react', actions: 'tools' }, epochs: 2 }),
    }
    const trajectories = [await importExperts()]
    const wanted = datasetFormats.flatMap(({ id, kinds }) => kinds.map((kind) => ({ format: id, kind })))
    const divided = { splits: { train: 0.5, validation: 0.5 }, rows_per_file: 3 }
    await Promise.all([
      ...calledSets.flatMap(({ set, kind, formats }) =>
        formats.map((format) =>
          build(set, {
            kind,
            format,
            rows_per_file: 5,
            name: `${set} rows`,
            runs: [(kind === 'sft' ? sources.called : sources.calledSearch).id],
            parameters: requests[kind]?.parameters ?? {},
          }),
        ),
      ),
      build('divided', { kind: 'sft', format: 'trl', runs: [sources.paths.id], ...divided }),
      ...wanted.flatMap(({ format, kind }) => {
        const asked = requests[kind]
        // Rows of exact tokens need a model that gives them.
        if (asked === undefined) return []
        const { source, parameters = {} } = asked
        const common = { kind, format, rows_per_file: 50 }
        const name = `${kind} rows`
        const own = build(kind, { ...common, name, runs: [sources[source].id], parameters })
        return kind === 'sft' ? [own, build('experts', { ...common, name: 'experts', trajectories })] : [own]
      }),
    ])
  } finally {
    await service.close({ grace: 1 })
  }
}
