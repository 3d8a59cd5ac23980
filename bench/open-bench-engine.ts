import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkerLogs } from '../shared/core/engine/log/worker-logs.ts'
import { openMemoryReader } from '../shared/core/engine/memories/open-memory-reader.ts'
import { openEngine } from '../shared/core/engine/open-engine.ts'
import { openLocalWorld } from '../shared/core/world/local/open-local-world.ts'
import type { World } from '../shared/core/world/ports.ts'
import { createEpisodePrograms } from '../shared/play/methods/episode-programs.ts'
import { openMethods } from '../shared/play/methods/methods.ts'
import { createRunPlanner } from '../shared/play/methods/plan-run.ts'
import type { ChatModel } from '../shared/play/models/chat-model.ts'
import { benchEnvironments } from './bench-environments.ts'
import { benchModels } from './bench-models.ts'

export async function openBenchEngine(
  model: ChatModel,
  capacity: number,
  {
    groupFor = 0,
    openWorld = (folder) => openLocalWorld({ folder }),
    ...economy
  }: {
    callsAtOnce?: number
    gatherFor?: number
    groupFor?: number
    openWorld?: (folder: string) => Promise<World & { close(): Promise<void> }>
  } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-bench-'))
  const world = await openWorld(folder)
  const engine = openEngine({
    world,
    planner: createRunPlanner({ methods: openMethods(), ...benchEnvironments, isPriced: () => true }),
    programs: createEpisodePrograms({
      methods: openMethods(),
      ...benchEnvironments,
      ...benchModels(model),
      memories: openMemoryReader(world),
      version: 'bench',
    }),
    reconcile: async () => 'unknown',
    code: 'bench',
    capacity,
    onError: (error) => console.error(error),
    ...economy,
    ...(groupFor > 0 && { logs: new WorkerLogs(world, groupFor) }),
  })
  await engine.worker.start()
  return {
    ...engine,
    runs: engine.runs.of('bench'),
    world,
    async close() {
      await engine.worker.stop(10)
      await world.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function ended(engine: Pick<Awaited<ReturnType<typeof openBenchEngine>>, 'runs'>, run: string) {
  for (;;) {
    const now = await engine.runs.get(run)
    if (now.ended_at !== null) return now
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
