import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DatasetKindId } from '../shared/core/contracts/dataset.ts'
import { simulatedEndpointSchema } from '../shared/core/contracts/endpoint-configuration.ts'
import type { JsonObject } from '../shared/core/contracts/json.ts'
import { compress } from '../shared/core/engine/gzip.ts'
import { readJournal } from '../shared/core/engine/read-journal.ts'
import { openLocalWorld } from '../shared/core/world/local/open-local-world.ts'
import type { World } from '../shared/core/world/ports.ts'
import { modelClock } from '../shared/play/models/model-clock.ts'
import { createSimulatedModels } from '../shared/play/simulated/simulated-models.ts'
import type { BuildMeasure, MeasuredBuild } from './dataset-measure.ts'
import { example } from './example-environment.ts'
import { report } from './figure.ts'
import { playTree } from './play-tree.ts'
import type { PlayedTemplate } from './stamped-runs.ts'

const methods = {
  react: { id: 'react' },
  mcts: { id: 'mcts', iterations: 8, samples: 4 },
  judged: { id: 'mcts', value: 'judge', iterations: 8 },
}
const played = 12
const sizes = [10_000, 200_000]

const builds: {
  kind: DatasetKindId
  method: keyof typeof methods
  parameters?: JsonObject
  attempts?: number
}[] = [
  { kind: 'sft', method: 'mcts', parameters: { paths: 'ends' } },
  { kind: 'sft', method: 'react', parameters: { min_reward: 0 } },
  { kind: 'preference', method: 'react', attempts: 12 },
  { kind: 'step-preference', method: 'mcts' },
  { kind: 'revision', method: 'mcts', parameters: { first_error: 'end' } },
  { kind: 'exploration', method: 'judged' },
  { kind: 'unpaired', method: 'mcts', parameters: { level: 'step' } },
  { kind: 'process-reward', method: 'mcts', parameters: { paths: 'ends' } },
  { kind: 'prompts', method: 'react' },
]

const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
try {
  const world = await openLocalWorld({ folder })
  const templates = new Map<string, PlayedTemplate[]>()
  for (const method of Object.keys(methods)) {
    templates.set(method, await playAll(world, method as keyof typeof methods))
  }
  await world.close()
  for (const build of builds) {
    const own = templates.get(build.method) ?? []
    // One build from all templates measures the rows per episode.
    const look = await measure({ ...build, templates: own, episodes: own.length })
    for (const size of sizes) {
      const cycles = Math.ceil(size / look.rows)
      const found = await measure({ ...build, templates: own, episodes: cycles * own.length })
      reportBuild(build, found, cycles * own.length)
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function playAll(world: World, name: keyof typeof methods): Promise<PlayedTemplate[]> {
  const endpoint = simulatedEndpointSchema.parse({ kind: 'simulated', latency: 0, skill: 0.5 })
  const { chat } = createSimulatedModels('simulated', endpoint, modelClock)
  const tasks = example.tasks().filter(({ split }) => split === 'train')
  const method = methods[name]
  return Promise.all(
    tasks.slice(0, played).map(async ({ id }, place) => {
      const run = `${name}-${place}`
      const { tree } = await playTree(world, chat, { method, name: run, task: id })
      const { records } = await readJournal(
        world.objects,
        `runs/${run}/episodes/ep-0000000/attempts/1/journal/`,
      )
      const keys = { tree: `bench/${run}/tree.json`, journal: `bench/${run}/journal.jsonl.gz` }
      await world.objects.put(keys.tree, Buffer.from(JSON.stringify(tree)))
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
      await world.objects.put(keys.journal, await compress(Buffer.from(lines)))
      const reward = tree.nodes[tree.best]?.reward ?? 0
      return { ...keys, method: method.id, reward, nodes: tree.nodes.length }
    }),
  )
}

async function measure({
  kind,
  parameters = {},
  attempts = 1,
  templates,
  episodes,
}: (typeof builds)[number] & { templates: PlayedTemplate[]; episodes: number }): Promise<BuildMeasure> {
  const build: MeasuredBuild = {
    folder,
    // Repeated episodes yield repeated rows.
    request: { runs: ['run-bench'], kind, parameters, format: 'trl', gates: { duplicates: 'keep' } },
    templates,
    episodes,
    attempts,
  }
  const script = join(import.meta.dirname, 'dataset-build.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(build)])
  return JSON.parse(stdout) as BuildMeasure
}

function reportBuild({ kind, method }: (typeof builds)[number], found: BuildMeasure, episodes: number): void {
  const { rows, seconds, processorSeconds, peak, bareSeconds, bytes, textBytes } = found
  const perTree = (rows / episodes).toFixed(1)
  report({
    what: `${rows.toLocaleString('en')} rows of ${kind}, ${perTree} a tree of ${method} (local world, format trl)`,
    value: `${Math.round(rows / seconds).toLocaleString('en')} rows/s (${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processors; ${(textBytes / 1e6).toFixed(0)} MB of text in ${(bytes / 1e6).toFixed(1)} MB), ${peak.toFixed(0)} MB resident at most`,
    ratio: `${(seconds / bareSeconds).toFixed(1)} × the time of reading the same trees and packing the same rows and nothing else`,
    aim: '≥ 20,000 rows/s, < 300 MB',
  })
}
