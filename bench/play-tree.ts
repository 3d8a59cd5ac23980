import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { runRequestSchema } from '../shared/core/contracts/run.ts'
import type { Tree } from '../shared/core/contracts/tree.ts'
import { EpisodePlayer } from '../shared/core/engine/episode-player.ts'
import { Journal } from '../shared/core/engine/journal.ts'
import { openMemoryReader } from '../shared/core/engine/memories/open-memory-reader.ts'
import { readJournal } from '../shared/core/engine/read-journal.ts'
import type { EpisodePlace } from '../shared/core/engine/runs/run-definition.ts'
import type { World } from '../shared/core/world/ports.ts'
import { createEpisodePrograms } from '../shared/play/methods/episode-programs.ts'
import { openMethods } from '../shared/play/methods/methods.ts'
import type { ChatModel } from '../shared/play/models/chat-model.ts'
import { benchEnvironments } from './bench-environments.ts'
import { benchModels } from './bench-models.ts'
import { freeMeter } from './free-meter.ts'

export async function playTree(
  world: World,
  model: ChatModel,
  {
    method,
    name,
    task,
  }: { method: { id: string; [parameter: string]: unknown }; name: string; task: string },
): Promise<{ tree: Tree; steps: number; seconds: number }> {
  const start = performance.now()
  const { objects, clock } = world
  const prefix = `runs/${name}/episodes/ep-0000000/attempts/1/journal/`
  const journal = await Journal.open({ objects, clock, prefix, writer: 'bench', code: 'bench' })
  const programs = createEpisodePrograms({
    methods: openMethods(),
    ...benchEnvironments,
    ...benchModels(model),
    memories: openMemoryReader(world),
    version: 'bench',
  })
  const request = runRequestSchema.parse({
    environment: exampleEnvironment,
    method,
    model: { endpoint: 'bench', id: 'bench' },
  })
  const place: EpisodePlace = {
    index: 0,
    task,
    epoch: 0,
    purpose: 'play',
    group: null,
    training: [],
    roundStart: 0,
  }
  const program = await programs.program(name, request, place, () => freeMeter)
  const play = program.play.bind(program)
  const player = new EpisodePlayer({ journal, play, steps: program.steps, limits: {}, seed: ['bench'] })
  const outcome = await player.play()
  if (outcome.type !== 'ended') throw new Error(JSON.stringify(outcome))
  const seconds = (performance.now() - start) / 1000
  const { records } = await readJournal(objects, prefix)
  const summary = await programs.summarise(name, request, place, records)
  if (!summary) throw new Error('The episode left no tree.')
  return { tree: summary.tree as unknown as Tree, steps: summary.steps, seconds }
}
