import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import { runRequestSchema } from '../../shared/core/contracts/run.ts'
import { toResult } from '../../shared/core/engine/episodes/conclude-episode.ts'
import { createRun } from '../../shared/core/engine/runs/create-run.ts'
import type { RunDefinitions } from '../../shared/core/engine/runs/run-definition.ts'
import { RunStore, toStatus } from '../../shared/core/engine/runs/run-store.ts'
import type { World } from '../../shared/core/world/ports.ts'

export async function beginEndsRun(
  world: World,
  definitions: RunDefinitions,
  { slots, episodes }: { slots: number; episodes: number },
): Promise<string> {
  const request = runRequestSchema.parse({
    environment: exampleEnvironment,
    method: { id: 'react' },
    model: { endpoint: 'none', id: 'none' },
    max_parallel: slots,
  })
  const tasks = Array.from({ length: episodes }, (_, index) => `task-${index}`)
  const run = await createRun({ world, definitions, tenant: 'default' }, request, async () => ({
    request,
    tasks,
    priced: true,
  }))
  await new RunStore(world).change(run, (row) => toStatus(row, 'running', null, world.clock.now()))
  return run
}

export const plainResult = toResult({
  purpose: 'play',
  summary: null,
  error: null,
  limit: null,
  working_seconds: 10,
  attempt: 1,
})
