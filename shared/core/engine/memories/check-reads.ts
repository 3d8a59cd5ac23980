import { EspalierError } from '../../contracts/errors.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunDefinitions } from '../runs/run-definition.ts'
import type { RunPlan } from '../runs/run-planner.ts'
import { isFinal, toRunRow } from '../runs/run-row.ts'
import { unknownId } from '../unknown-id.ts'
import { isLearnedFor } from './is-learned-for.ts'
import { type LearnedRow, learnedKey } from './learned-row.ts'
import { openMemoryReader } from './open-memory-reader.ts'

type Read = NonNullable<RunPlan['reads']>[number]

interface Known {
  world: World
  definitions: Pick<RunDefinitions, 'learning'>
}

/**
 * Checks that a run can read the memories and libraries it names.
 * @throws EspalierError, naming the field: `not_found` for one that the tenant does not have. `invalid_request` for
 * one of another environment, a memory of another method, one that still changes, one learned from tasks which the
 * run plays, and a library without actions for some of them
 */
export async function checkReads(
  { tenant, ...known }: Known & { tenant: string },
  plan: RunPlan,
): Promise<void> {
  for (const read of plan.reads ?? []) {
    const { id, kind, param } = read
    const { ledger } = known.world
    const found = (await ledger.get(learnedKey(kind, tenant, id))) as LearnedRow | null
    if (!found) {
      const { partition: listed } = learnedKey(kind, tenant, '')
      throw await unknownId(kind, id, { ledger, listed, param })
    }
    const wrong =
      (await whyNotAtAll(known.world, plan, read, found)) ??
      (await whyProvesNothing(known, plan, read, found)) ??
      (await whyMissing(known.world, plan, read, found))
    if (wrong !== null) throw new EspalierError('invalid_request', wrong, { param })
  }
}

async function whyNotAtAll(
  world: World,
  { request }: RunPlan,
  { kind, id }: Read,
  { run, environment, method }: LearnedRow,
): Promise<string | null> {
  if (environment !== request.environment) {
    return `The ${kind} "${id}" was learned in ${environment}, and this run plays ${request.environment}. Name one of ${request.environment}, or leave it out.`
  }
  if (kind === 'memory' && method !== request.method.id) {
    return `The memory "${id}" was learned by ${method}, and this run plays ${request.method.id}, which is shown other notes. Name one of ${request.method.id}, or leave it out.`
  }
  const item = await world.ledger.get(ledgerKeys.run(run))
  const status = item === null ? null : toRunRow(item).status
  if (status === null || !isFinal(status)) {
    return `The ${kind} "${id}" still changes: its run ${run} is ${status ?? 'missing'}. Wait until it has ended: espalier watch ${run}`
  }
  return null
}

/** A lesson learned from a task is no test of it. Memories of played tasks are another matter. */
async function whyProvesNothing(
  { definitions }: Known,
  { tasks }: RunPlan,
  { kind, id }: Read,
  { run }: LearnedRow,
): Promise<string | null> {
  const { episodes } = await definitions.learning(run)
  const trained = new Set(episodes.flatMap((lesson) => lesson.tasks))
  const both = tasks.filter((task) => trained.has(task))
  if (both.length === 0) return null
  const named = `${both.slice(0, 10).join(', ')}${both.length > 10 ? ' …' : ''}`
  return `The ${kind} "${id}" was learned from tasks that this run plays, so their results would prove nothing. Leave them out of tasks: ${named}.`
}

async function whyMissing(
  world: World,
  { request: { environment }, types = [] }: RunPlan,
  { kind, id }: Read,
  { run }: LearnedRow,
): Promise<string | null> {
  if (kind === 'memory') return null
  const actions = await openMemoryReader(world).actionsOf(run)
  if (actions.length === 0) {
    return `The library "${id}" has no actions: its run ${run} learned none. Name another, or leave it out to learn anew.`
  }
  const bare = types.find((type) => !actions.some((action) => isLearnedFor(action, { environment, type })))
  if (bare === undefined) return null
  const groups = [...new Set(actions.map(({ group }) => group))]
  return `The library "${id}" has no actions for tasks of the type "${bare}": it was learned for ${groups.join(', ')}. Narrow tasks.types to these, or leave it out to learn anew.`
}
