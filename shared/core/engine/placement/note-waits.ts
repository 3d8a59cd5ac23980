import { pagesOf } from '../../world/pages-of.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunStore } from '../runs/run-store.ts'

const opening = 'Its episodes wait: no worker with its environment and endpoints has the labels'

export interface WaitNeeds {
  world: Pick<World, 'clock' | 'ledger'>
  store: RunStore
  missingLabels(run: string): Promise<readonly string[] | null>
}

export async function noteWaits(needs: WaitNeeds): Promise<void> {
  const { ledger } = needs.world
  const failures: unknown[] = []
  const pages = pagesOf(ledger, ledgerKeys.openRun('').partition, undefined, undefined, () => undefined)
  for await (const page of pages)
    for (const { sort } of page)
      await noteWait(needs, sort).catch((error: unknown) => void failures.push(error))
  if (failures.length > 0)
    throw new AggregateError(failures, `The waits of ${failures.length} runs could not be noted.`)
}

async function noteWait({ missingLabels, store, world }: WaitNeeds, run: string): Promise<void> {
  const labels = await missingLabels(run)
  const message = labels === null ? null : waitMessage(labels)
  const found = await store.find(run)
  if (found === null || !isOutdated(found.last_problem?.message, message)) return
  const at = new Date(world.clock.now()).toISOString()
  await store.change(run, ({ last_problem, status }) => {
    const isGoing = status === 'queued' || status === 'running'
    if (!isGoing || !isOutdated(last_problem?.message, message)) return null
    if (message === null) return { set: { last_problem: null } }
    return { set: { last_problem: { message, at } }, events: [{ type: 'run.problem', message }] }
  })
}

/** True if the noted problem must change. A run keeps its other problems while a worker can play it. */
function isOutdated(noted: string | undefined, message: string | null): boolean {
  if (message === null) return noted?.startsWith(opening) ?? false
  return noted !== message
}

function waitMessage(labels: readonly string[]): string {
  const list = labels.join(',')
  return `${opening} ${list}. Start a worker, or the service, with --labels ${list}.`
}
