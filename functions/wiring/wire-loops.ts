import { lineageRowSchema } from '../../shared/core/contracts/dataset.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { readStoredLines } from '../../shared/data/datasets/read-stored-lines.ts'
import type { Environments } from '../../shared/environments/open-environments.ts'
import { builtinData } from '../../shared/environments/open-environments.ts'
import { resolveTasks, settleSelection } from '../../shared/environments/select-tasks.ts'
import type {
  LoopDatasets,
  LoopPorts,
  LoopServers,
  LoopTasks,
  LoopTrainings,
} from '../../shared/learn/loops/loop-ports.ts'
import { type NextLook, openLoops, type TenantLoops } from '../../shared/learn/loops/open-loops.ts'
import type { TenantServices } from '../api/api-services.ts'

export type LoopServices = Pick<TenantServices, 'runs' | 'datasets' | 'forecasts' | 'reports'> & {
  trainings: LoopTrainings
  servers: LoopServers
  registry: {
    get: LoopPorts['models']['get']
    lineage(model: string): Promise<{ steps: readonly { datasets: readonly string[] }[] }>
  }
}

export interface LoopWiring {
  world: World
  environments: Pick<Environments, 'open'>
  services(tenant: string): LoopServices
  isSimulated: LoopPorts['isSimulated']
  checkEndpoint(
    ...asked: [...Parameters<LoopPorts['checkEndpoint']>, tenant: string]
  ): ReturnType<LoopPorts['checkEndpoint']>
}

export function wireLoops({
  world,
  environments,
  services,
  isSimulated,
  checkEndpoint,
}: LoopWiring): TenantLoops {
  return openLoops({
    world,
    send: async ({ delay, ...body }: NextLook) =>
      world.queues.jobs.send([{ body: JSON.parse(JSON.stringify(body)), group: body.loop, delay }]),
    parts(tenant) {
      const { datasets, forecasts, registry, reports, runs, servers, trainings } = services(tenant)
      return {
        isSimulated,
        checkEndpoint: (choice, param) => checkEndpoint(choice, param, tenant),
        runs,
        trainings,
        servers,
        reports,
        datasets: loopDatasets(world.objects, datasets),
        models: {
          get: (model) => registry.get(model),
          async learned(model) {
            const { steps } = await registry.lineage(model)
            return [...new Set(steps.flatMap((step) => step.datasets))]
          },
        },
        tasks: loopTasks(environments),
        estimate: (request) => forecasts.estimate(request),
      }
    },
  })
}

function loopDatasets(objects: World['objects'], datasets: LoopServices['datasets']): LoopDatasets {
  return {
    create: (request, options) => datasets.create(request, options),
    get: (dataset) => datasets.get(dataset),
    async *lineage(dataset) {
      for (const file of await datasets.files(dataset)) {
        if (!file.name.startsWith('lineage-')) continue
        const lines = await readStoredLines(objects, file, { skip: 0, take: Number.POSITIVE_INFINITY })
        for (const line of lines) if (line !== '') yield lineageRowSchema.parse(JSON.parse(line))
      }
    },
  }
}

function loopTasks(environments: Pick<Environments, 'open'>): LoopTasks {
  return async ({ environment: id, data, environment_options }, selection) => {
    const { definition, environment, pack } = await environments.open(id, data, environment_options)
    const tasks = await resolveTasks(environment, settleSelection(environment, selection))
    return {
      data: definition.pack === undefined ? undefined : (pack?.digest ?? builtinData),
      tasks: tasks.map((task) => ({ id: task.id, split: task.split })),
      ...(environment.formOf && { formOf: environment.formOf }),
    }
  }
}
