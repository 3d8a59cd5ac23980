import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { runRequestSchema } from '../shared/core/contracts/run.ts'
import { EpisodePlayer } from '../shared/core/engine/episode-player.ts'
import { Journal } from '../shared/core/engine/journal.ts'
import { openMemoryReader } from '../shared/core/engine/memories/open-memory-reader.ts'
import type { EpisodePlace } from '../shared/core/engine/runs/run-definition.ts'
import { createEpisodePrograms } from '../shared/play/methods/episode-programs.ts'
import { openMethods } from '../shared/play/methods/methods.ts'
import { benchEnvironments } from './bench-environments.ts'
import { benchModels } from './bench-models.ts'
import { example } from './example-environment.ts'
import { memory, report } from './figure.ts'
import { freeMeter } from './free-meter.ts'
import { openBenchEngine } from './open-bench-engine.ts'
import { scriptedModel } from './scripted-model.ts'

const { world, close } = await openBenchEngine(scriptedModel, 1)
const request = runRequestSchema.parse({
  environment: exampleEnvironment,
  method: { id: 'mcts', iterations: 100_000, samples: 6, max_depth: 12 },
  model: { endpoint: 'bench', id: 'bench' },
})
const place: EpisodePlace = {
  index: 0,
  task: example.tasks()[0]?.id ?? '',
  epoch: 0,
  purpose: 'play',
  group: null,
  training: [],
  roundStart: 0,
}
const prefix = 'runs/bench/episodes/ep-0000000/attempts/1/journal/'

/** Samples arrive one by one, so that nearly every one is a separate segment: the worst journal. */
const jittery: typeof scriptedModel = {
  async complete(chat, parts) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 6))
    return scriptedModel.complete(chat, parts)
  },
}

async function play(nodes: number) {
  const start = performance.now()
  const { objects, clock } = world
  const journal = await Journal.open({ objects, clock, prefix, writer: `${nodes}`, code: 'bench' })
  const programs = createEpisodePrograms({
    methods: openMethods(),
    ...benchEnvironments,
    ...benchModels(jittery),
    memories: openMemoryReader(world),
    version: 'bench',
  })
  const program = await programs.program('bench', request, place, () => freeMeter)
  const limits = { steps: nodes }
  const player = new EpisodePlayer({
    journal,
    play: (scope) => program.play(scope),
    steps: program.steps,
    limits,
    seed: [],
  })
  const outcome = await player.play()
  return { journal, outcome, steps: program.steps(), seconds: (performance.now() - start) / 1000 }
}

const first = await play(10_000)
global.gc?.()
const before = memory()
const again = await play(10_000)
const after = memory()
await close()
if (again.outcome.type !== 'ended') throw new Error(JSON.stringify(again.outcome))
report({
  what: `Resuming a journal of ${again.steps} nodes (${first.journal.segments} segments)`,
  value: `${again.seconds.toFixed(2)} s, ${again.journal.committed.ranges.length} objects read, ${(after - before).toFixed(0)} MB more memory`,
  ratio: `${(first.seconds / again.seconds).toFixed(0)} × faster than playing it (${first.seconds.toFixed(1)} s with a model of 3 ms)`,
  aim: '≤ 1 s, ≤ 40 objects',
})
