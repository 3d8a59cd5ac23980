import type { Dataset } from '../../../core/contracts/dataset.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Annotations } from '../open-annotations.ts'
import type { BuildLedger } from './build-ledger.ts'
import type { StoredPlan } from './store-plan.ts'

const firstPollSeconds = 2
const mostPollSeconds = 60

/**
 * Starts the run that asks the model about every attempt of the plan, and polls its state. Shows the reason of a
 * paused run and waits for it.
 *
 * @param looks - number of polls so far
 * @returns the seconds until the next poll; null when it has ended, and parts can be collected
 * @throws EspalierError `invalid_state` when it failed or was cancelled
 */
export async function askModel(
  needs: {
    dataset: Dataset
    stored: StoredPlan
    annotations: Annotations
    ledger: BuildLedger
    builder: string
  },
  looks: number,
): Promise<number | null> {
  const { annotations, builder, dataset, ledger, stored } = needs
  const { id } = dataset
  let run = dataset.annotation_run
  if (run === null) {
    run = await annotations.start({ dataset: id, attempts: await plannedAttempts(stored) })
    await ledger.change(id, builder, { annotation_run: run })
  }
  const { reason, status } = await annotations.state(run)
  if (status === 'failed') throw new EspalierError('invalid_state', reason ?? `The run ${run} failed.`)
  if (status === 'ended') {
    await ledger.change(id, builder, { phase: 'collecting' }, ['note'])
    return null
  }
  await ledger.note(id, builder, status === 'paused' ? reason : null)
  return Math.min(mostPollSeconds, firstPollSeconds + looks)
}

async function plannedAttempts(stored: StoredPlan): Promise<{ source: string; episode: string }[]> {
  const { parts, sources } = await stored.readHead()
  const asked: { source: string; episode: string }[] = []
  for (let part = 0; part < parts; part += 1) {
    for (const { attempts } of await stored.readPart(part)) {
      for (const { source, episode } of attempts) asked.push({ source: sources[source]?.id ?? '', episode })
    }
  }
  return asked
}
