import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { Annotations } from '../../../shared/data/datasets/open-annotations.ts'
import type { SourceRuns, SourceTrajectories } from '../../../shared/data/datasets/open-attempts.ts'
import {
  type DatasetNeeds,
  openDatasets,
  type TenantDatasets,
} from '../../../shared/data/datasets/open-datasets.ts'

/** Nothing was imported. */
export const noTrajectories: SourceTrajectories = {
  async get(id) {
    throw new EspalierError('not_found', `There are no trajectories "${id}".`, { param: 'trajectories' })
  },
  async *facts() {
    yield* []
  },
  async trees() {
    return new Map()
  },
}

/** No kind that is built here asks a model. */
export const neverAsked: Annotations = {
  start: () => Promise.reject(new Error('Nothing is asked here.')),
  state: () => Promise.reject(new Error('Nothing is asked here.')),
  read: () => Promise.reject(new Error('Nothing is asked here.')),
}

/** Datasets over runs of a test, every task of which is a training task unless the test says otherwise. */
export function openTestDatasets(
  world: World,
  runs: SourceRuns,
  rest: Partial<Omit<DatasetNeeds, 'world'>> = {},
): TenantDatasets {
  return openDatasets({
    world,
    runs: { of: () => runs },
    trajectories: { of: () => noTrajectories },
    annotations: { of: () => neverAsked },
    splitsOf: async () => new Map(),
    checkEndpoint: () => undefined,
    ...rest,
  })
}

export interface BuildNowOptions {
  signal?: AbortSignal
  lastTry?: boolean
  /** In which order parts are collected. */
  order?: (parts: number[]) => number[]
}

/** Does all the work of a dataset, piece after piece, without the queue. */
export async function buildNow(
  datasets: Pick<TenantDatasets, 'advance'>,
  dataset: string,
  { order = (parts) => parts, ...options }: BuildNowOptions = {},
): Promise<void> {
  let next = await datasets.advance({ dataset }, options)
  while (next.length > 0) {
    const parts = order(next.flatMap(({ part }) => part ?? []))
    const whole = next.filter(({ part }) => part === undefined)
    next = []
    for (const part of parts) next.push(...(await datasets.advance({ dataset, part }, options)))
    for (const { looks } of whole)
      next.push(...(await datasets.advance({ dataset, ...(looks === undefined ? {} : { looks }) }, options)))
  }
}
