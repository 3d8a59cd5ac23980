import type { List, ListQuery } from '../../shared/core/contracts/list.ts'
import type { Loop } from '../../shared/core/contracts/loop.ts'
import type { Training } from '../../shared/core/contracts/training.ts'
import { everyOf } from './every-of.ts'

interface Listed<Item> {
  of(tenant: string): { list(query: ListQuery): Promise<List<Item>> }
}

/** Paused trainings and loops count too: they continue from their models. */
const isOpen = ({ status }: Pick<Training | Loop, 'status'>): boolean =>
  status === 'queued' || status === 'running' || status === 'paused'

export async function usesOfModel(
  { trainings, loops }: { trainings: Listed<Training>; loops: Listed<Loop> },
  tenant: string,
  model: string,
): Promise<string[]> {
  const uses: string[] = []
  for await (const training of everyOf((query) => trainings.of(tenant).list(query))) {
    const { base } = training.request
    if (!isOpen(training) || !('registered' in base) || base.registered !== model) continue
    uses.push(`the training ${training.id}, which is ${training.status}, starts from it`)
  }
  for await (const loop of everyOf((query) => loops.of(tenant).list(query))) {
    if (!isOpen(loop) || !modelsOf(loop).has(model)) continue
    uses.push(`the loop ${loop.id}, which is ${loop.status}, goes on from it or compares it`)
  }
  return uses
}

function modelsOf({ request, rounds, control }: Loop): Set<unknown> {
  const stages = rounds.flatMap((round) => round.stages)
  return new Set([
    'registered' in request.base ? request.base.registered : null,
    control?.model,
    ...rounds.flatMap((round) => [round.start, round.model]),
    ...stages.map(({ facts }) => facts.model),
  ])
}
