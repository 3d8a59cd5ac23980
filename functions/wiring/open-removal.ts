import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Json } from '../../shared/core/contracts/json.ts'
import type { Removal, TenantServices } from '../api/api-services.ts'
import { everyOf } from './every-of.ts'

type Needs = Pick<
  TenantServices,
  'runs' | 'datasets' | 'trajectories' | 'trainings' | 'loops' | 'transcripts'
>

type Param = 'run' | 'dataset' | 'import'

export function openRemoval(needs: Needs): Removal {
  const { datasets, runs, trajectories, transcripts } = needs
  return {
    async run(id) {
      await refuseUsed('run', id, [...(await usesInDatasets(needs, id)), ...(await usesOfLearned(needs, id))])
      await refuseUsed('run', id, await usesInLoops(needs, id))
      // Remove the index twice: first in case we crash, then in case a search re-created it.
      await transcripts.forget(id)
      await runs.delete(id)
      await transcripts.forget(id)
    },
    async dataset(id) {
      await datasets.get(id)
      await refuseUsed('dataset', id, [
        ...(await usesInTrainings(needs, id)),
        ...(await usesInLoops(needs, id)),
      ])
      await datasets.delete(id)
    },
    async import(id) {
      await trajectories.get(id)
      await refuseUsed('import', id, [
        ...(await usesInDatasets(needs, id)),
        ...(await usesInLoops(needs, id)),
      ])
      await trajectories.delete(id)
    },
  }
}

async function refuseUsed(param: Param, id: string, uses: readonly string[]): Promise<void> {
  if (uses.length === 0) return
  const shown = uses.slice(0, mostShown).join('; ')
  const more = uses.length > mostShown ? `; and ${uses.length - mostShown} more` : ''
  throw new EspalierError(
    'invalid_state',
    `${id} is kept, because it is referred to: ${shown}${more}. Delete that first, or archive ${id}, which hides it from lists.`,
    { param },
  )
}

const mostShown = 3

async function usesInDatasets({ datasets }: Needs, id: string): Promise<string[]> {
  const uses: string[] = []
  for await (const dataset of everyOf((query) => datasets.list({ ...query, archived: 'any' }))) {
    if (dataset.annotation_run === id) uses.push(`the dataset ${dataset.id} asked its model by it`)
    else if (mentions(dataset.request, id)) uses.push(`the dataset ${dataset.id} was built from it`)
  }
  return uses
}

async function usesOfLearned({ runs }: Needs, id: string): Promise<string[]> {
  const { library, memory } = await runs.get(id)
  if (library === null && memory === null) return []
  const uses: string[] = []
  for await (const run of everyOf((query) => runs.list({ ...query, archived: 'any' }))) {
    const read = [memory, library].find(
      (learned) => learned !== null && mentions(run.request.method, learned),
    )
    if (run.id !== id && read) uses.push(`the run ${run.id} reads its ${read}`)
  }
  return uses
}

async function usesInTrainings({ trainings }: Needs, id: string): Promise<string[]> {
  const uses: string[] = []
  for await (const training of everyOf((query) => trainings.list(query))) {
    if (mentions(training.request, id)) uses.push(`the training ${training.id} learned from it`)
  }
  return uses
}

async function usesInLoops({ loops }: Needs, id: string): Promise<string[]> {
  const uses: string[] = []
  if (loops === undefined) return uses
  for await (const loop of everyOf((query) => loops.list(query))) {
    const isPart = mentions(loop.request, id) || mentions(loop.rounds, id)
    if (isPart) uses.push(`the loop ${loop.id} has it in one of its rounds`)
  }
  return uses
}

function mentions(value: Json | object | undefined, id: string): boolean {
  if (typeof value === 'string') return value === id
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((inner: Json) => mentions(inner, id))
}
