import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import {
  type Dataset,
  type DatasetFile,
  type DatasetRequestInput,
  datasetRequestSchema,
} from '../../../shared/core/contracts/dataset.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import {
  type Training,
  type TrainingRequestInput,
  trainingRequestSchema,
} from '../../../shared/core/contracts/training.ts'
import { startJobConsumer } from '../../../shared/core/engine/jobs/start-job-consumer.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openModelRegistry } from '../../../shared/learn/registry/open-models.ts'
import { openLocalTrainer } from '../../../shared/learn/trainings/local/local-trainer.ts'
import { openTrainings } from '../../../shared/learn/trainings/open-trainings.ts'
import type { Trainer } from '../../../shared/learn/trainings/trainer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { untilWanted } from './until-wanted.ts'

const program = join(import.meta.dirname, 'stand-in-program.mjs')

/** What a dataset of a test says of itself. */
export interface DatasetFacts {
  status?: Dataset['status']
  request?: DatasetRequestInput
  /** The splits of the tasks of its rows. */
  taskSplits?: (string | null)[]
  gates?: Dataset['gates']
  pictures?: Dataset['pictures']
  /** What the answer of each row says; null: rows have no messages. */
  contents?: string | null
}

/** Trainings over a world of their own, with datasets that are stored as builds store them, and a stand-in for Python. */
export async function openTestTrainings(
  options: {
    atOnce?: number
    costPerHour?: number
    accelerator?: string
    /** Trainers beside the local one. */
    others?: (objects: World['objects'], folder: string) => Trainer[]
  } = {},
) {
  const { others, ...local } = options
  const folder = await temporaryFolder()
  const base = await writeBase(join(folder, 'base'))
  const stored = new Map<string, Dataset>()
  const keys = new Map<string, (DatasetFile & { key: string })[]>()
  let world = await openLocalWorld({ folder: join(folder, 'data') })
  let service = open(world)
  onTestFinished(() => close())

  function open(given: World) {
    const trainer = openLocalTrainer({
      objects: given.objects,
      folder: join(folder, 'trainings'),
      python: program,
      ...local,
    })
    const trainers = [trainer, ...(others?.(given.objects, join(folder, 'trainings')) ?? [])]
    const datasets = {
      get: async (id: string) => {
        const found = stored.get(id)
        if (found !== undefined) return found
        throw new EspalierError('not_found', `There is no dataset "${id}".`, { param: 'dataset' })
      },
      files: async (id: string) => keys.get(id) ?? [],
    }
    const models = openModelRegistry({ world: given })
    const tenants = openTrainings({
      world: given,
      datasets: { of: () => datasets as never },
      models,
      trainers: new Map(trainers.map((each) => [each.info.id, { ...each, lookEvery: 0.05 }])),
      folder: join(folder, 'trainings'),
      folders: null,
    })
    const errors: unknown[] = []
    const consumer = startJobConsumer(given, { training: tenants.handler }, (error) => errors.push(error))
    return { trainers, tenants, models: models.of('default'), consumer, errors }
  }

  async function close(): Promise<void> {
    await service.consumer.stop()
    await Promise.all(service.trainers.map((each) => each.close()))
    await world.close()
  }

  return {
    base,
    folder,
    world: () => world,
    trainings: () => service.tenants.of('default'),
    tenants: () => service.tenants,
    models: () => service.models,
    errors: () => service.errors,

    /** As a service that is ended and started again. */
    async restart(): Promise<void> {
      await close()
      world = await openLocalWorld({ folder: join(folder, 'data') })
      service = open(world)
    },

    async addDataset(id: string, facts: DatasetFacts = {}): Promise<string> {
      const {
        status = 'succeeded',
        request = {},
        taskSplits = ['train', 'train'],
        gates = {},
        pictures,
        contents = null,
      } = facts
      const files: (DatasetFile & { key: string })[] = []
      for (const [name, lines] of [
        [
          'data-00001.jsonl.gz',
          taskSplits.map((_, row) => ({
            messages: contents === null ? [] : [{ role: 'assistant', content: contents }],
            row,
          })),
        ],
        ['lineage-00001.jsonl.gz', taskSplits.map(lineageRow)],
      ] as const) {
        const body = gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
        const key = `datasets/${id}/${name}`
        await world.objects.put(key, body)
        const rows = name.startsWith('data') ? taskSplits.length : null
        files.push({ name, rows, bytes: body.length, sha256: 'ab'.repeat(32), key })
      }
      keys.set(id, files)
      const made = toDataset(id, status, datasetRequestSchema.parse({ format: 'trl', ...request }), gates)
      stored.set(id, { ...made, ...(pictures && { pictures }) })
      return id
    },

    request(given: Partial<TrainingRequestInput> = {}) {
      return trainingRequestSchema.parse({
        base: { folder: base },
        datasets: [{ dataset: 'dataset-1' }],
        recipe: 'sft',
        ...given,
      })
    },

    until(id: string, isAsWanted: (training: Training) => boolean): Promise<Training> {
      return untilWanted(() => service.tenants.of('default').get(id), isAsWanted)
    },
  }
}

async function writeBase(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'config.json'), JSON.stringify({ max_position_embeddings: 4096 }))
  await writeFile(
    join(folder, 'tokenizer_config.json'),
    JSON.stringify({ eos_token: '</s>', chat_template: '…' }),
  )
  return folder
}

function lineageRow(task_split: string | null, row: number) {
  const origin = {
    source: 'run-1',
    episode: 'e',
    attempt: 0,
    method: 'react',
    model: 'm',
    reward: 1,
    node_ids: [0, 1],
  }
  return {
    row,
    kind: 'sft',
    environment: 'textcraft',
    data: null,
    task: `task-${row}`,
    task_split,
    tokens: 3,
    sha256: 'ab',
    origin,
    other: null,
    schema_version: 'espalier-lineage-v2',
  }
}

function toDataset(
  id: string,
  status: Dataset['status'],
  request: Dataset['request'],
  gates: Dataset['gates'],
): Dataset {
  return {
    id,
    object: 'dataset',
    name: null,
    status,
    error: null,
    created_at: new Date(0).toISOString(),
    request,
    progress: { phase: 'done', parts: 1, parts_done: 1 },
    annotation_run: null,
    rows: 2,
    splits: {},
    left_out: {},
    gates,
    tokens: null,
    warnings: [],
    files: [],
  }
}
