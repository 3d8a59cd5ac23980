import type { WorkerKind } from '../../shared/core/contracts/workers.ts'
import { RunRoutes } from '../../shared/core/engine/routing/run-routes.ts'
import { RunDefinitions } from '../../shared/core/engine/runs/run-definition.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import type { AwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import { RoutedQueue } from '../../shared/core/world/aws/routed-queue.ts'
import type { World } from '../../shared/core/world/ports.ts'

export interface RoutedWorld {
  world: World
  routes: RunRoutes | null
}

export function routeEpisodes(world: AwsWorld, serves: WorkerKind): RoutedWorld {
  const { lasting, queues } = world
  if (lasting === null) return { world, routes: null }
  const routes = new RunRoutes({
    world,
    store: new RunStore(world),
    definitions: new RunDefinitions(world.objects),
  })
  const byKind = { lambda: queues.episodes, fargate: lasting }
  const episodes = new RoutedQueue(byKind[serves], async (run) => byKind[await routes.of(run)])
  return { world: { ...world, queues: { ...queues, episodes } }, routes }
}
