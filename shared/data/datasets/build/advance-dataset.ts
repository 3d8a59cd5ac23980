import type { Dataset } from '../../../core/contracts/dataset.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { randomSuffix } from '../../../core/engine/identifiers.ts'
import type { World } from '../../../core/world/ports.ts'
import { findFormat } from '../../formats/formats.ts'
import { findKind } from '../dataset-kinds.ts'
import type { Annotations } from '../open-annotations.ts'
import { type AttemptNeeds, openAttempts } from '../open-attempts.ts'
import type { SplitsOf } from '../splits-of.ts'
import type { DatasetWork, NextWork } from '../take-dataset-message.ts'
import { openTokenizer } from '../tokens/open-tokenizer.ts'
import { assembleDataset } from './assemble-dataset.ts'
import type { BuildLedger, BuildState } from './build-ledger.ts'
import { collectPart } from './collect-part.ts'
import type { StoredPart } from './part.ts'
import { partKeys } from './part-keys.ts'
import { planDataset } from './plan-dataset.ts'
import { type StoredPlan, storedPlan } from './store-plan.ts'

const firstPollSeconds = 2
const mostPollSeconds = 60

export interface BuildSources {
  runs: { of(tenant: string): AttemptNeeds['runs'] }
  trajectories: { of(tenant: string): AttemptNeeds['trajectories'] }
  annotations: { of(tenant: string): Annotations }
  splitsOf: SplitsOf
  scoresOf?: AttemptNeeds['scoresOf']
}

export interface AdvanceNeeds extends BuildSources {
  world: Pick<World, 'objects'>
  ledger: BuildLedger
}

type Options = { signal?: AbortSignal | undefined }

/**
 * Does one piece of a build: the whole as far as possible without waiting, or one part.
 *
 * The whole goes through phases:
 *
 * - *Planning* lists every attempt once and divides the tasks among parts.
 * - *Asking*, if the kind asks a model, waits for the run that does.
 * - *Collecting* sends the parts to the queue.
 * - *Assembling* builds files of their results.
 *
 * The builder claims the whole, and the next claim fences it off. Any process may collect a part, and the first to
 * finish it counts.
 *
 * @returns the next work
 * @throws any error; the same work may be retried
 */
export async function advanceDataset(
  needs: AdvanceNeeds,
  work: DatasetWork,
  builder: string,
  options: Options,
): Promise<NextWork[]> {
  return work.part === undefined
    ? advanceWhole(needs, work, builder, options)
    : advancePart(needs, work.dataset, work.part, options)
}

async function advanceWhole(
  needs: AdvanceNeeds,
  { dataset: id, looks = 0 }: DatasetWork,
  builder: string,
  { signal }: Options,
): Promise<NextWork[]> {
  const { ledger } = needs
  let state = await ledger.claim(id, builder)
  if (state === null) return []
  if (state.plan === null) {
    await plan(needs, state, builder, signal)
    state = await ledger.read(id)
  }
  const build = openBuild(needs, state)
  if (state.dataset.progress.phase === 'asking') {
    const wait = await askModel({ ...build, ledger, builder }, looks)
    if (wait !== null) return [{ dataset: id, looks: looks + 1, delay: wait }]
  }
  const parts = await ledger.parts(id)
  const missing = missingParts(parts, state.dataset.progress.parts)
  if (missing.length > 0) return missing.map((part) => ({ dataset: id, part }))
  await ledger.change(id, builder, { phase: 'assembling' })
  const { tokenizer } = state.dataset.request.gates
  const { rows, left_out, warnings } = await assembleDataset((await ledger.read(id)).dataset, {
    ...build,
    mixing: { attempts: build.attempts, kind: build.kind, tokenizer: await openTokenizer(tokenizer) },
    objects: needs.world.objects,
    plan: await build.stored.readHead(),
    parts,
    shards: await ledger.shards(id),
    beforeShard: () => ledger.checkClaim(id, builder),
    commit: (shard, count) => ledger.addShard(id, builder, shard, count),
    signal,
  })
  const ended = { status: 'succeeded', phase: 'done', error: null, rows, left_out, warnings }
  await ledger.change(id, builder, ended, ['builder', 'note'])
  return []
}

async function plan(
  needs: AdvanceNeeds,
  { dataset, tenant }: BuildState,
  builder: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { ledger, splitsOf, world } = needs
  const { request } = dataset
  const stored = storedPlan(world.objects, partKeys(dataset.id, builder))
  const plan = await planDataset(request, {
    attempts: attemptsOf(needs, tenant),
    splitsOf,
    store: stored.storePart,
    signal,
  })
  await stored.storeHead(plan)
  const asks = plan.attempts > 0 && annotatorOf(dataset) !== null
  const { left_out, parts, warnings } = plan
  const phase = asks ? 'asking' : 'collecting'
  await ledger.change(dataset.id, builder, { plan: builder, phase, parts, left_out, warnings })
}

/**
 * Starts the run that asks the model about every attempt of the plan, and polls its state. Shows the reason of a
 * paused run and waits for it.
 *
 * @param looks - number of polls so far
 * @returns the seconds until the next poll; null when it has ended, and parts can be collected
 * @throws EspalierError `invalid_state` when it failed or was cancelled
 */
async function askModel(
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

async function advancePart(
  needs: AdvanceNeeds,
  id: string,
  part: number,
  { signal }: Options,
): Promise<NextWork[]> {
  const { ledger, world } = needs
  const state = await ledger.read(id)
  const { dataset } = state
  if (dataset.status !== 'running' && dataset.status !== 'queued') return []
  const { attempts, format, keys, kind, stored, annotations } = openBuild(needs, state)
  let { progress } = dataset
  if (!(await ledger.hasPart(id, part))) {
    const writer = randomSuffix()
    const collected = await collectPart({
      objects: world.objects,
      attempts,
      request: dataset.request,
      kind,
      format,
      tokenizer: await openTokenizer(dataset.request.gates.tokenizer),
      plan: await stored.readHead(),
      tasks: await stored.readPart(part),
      asked: dataset.annotation_run === null ? null : { annotations, run: dataset.annotation_run },
      keys: { tasks: keys.tasks(part, writer), rows: (piece) => keys.rows(part, writer, piece) },
      signal,
    })
    progress = await ledger.addPart(id, { number: part, writer, ...collected })
  }
  const isLast = progress.parts_done === progress.parts && progress.phase === 'collecting'
  return isLast ? [{ dataset: id }] : []
}

function openBuild(needs: AdvanceNeeds, { dataset, plan, tenant }: BuildState) {
  if (plan === null) throw new Error(`The dataset ${dataset.id} has no plan.`)
  const keys = partKeys(dataset.id, plan)
  return {
    dataset,
    keys,
    kind: findKind(dataset.request.kind),
    format: findFormat(dataset.request.format),
    annotator: annotatorOf(dataset),
    stored: storedPlan(needs.world.objects, keys),
    attempts: attemptsOf(needs, tenant),
    annotations: needs.annotations.of(tenant),
  }
}

function attemptsOf({ runs, scoresOf, splitsOf, trajectories, world }: AdvanceNeeds, tenant: string) {
  return openAttempts({
    objects: world.objects,
    runs: runs.of(tenant),
    trajectories: trajectories.of(tenant),
    splitsOf,
    scoresOf,
  })
}

function annotatorOf({ request }: BuildState['dataset']) {
  return findKind(request.kind).annotator?.(request.parameters) ?? null
}

function missingParts(parts: StoredPart[], count: number): number[] {
  const stored = new Set(parts.map(({ number }) => number))
  return Array.from({ length: count }, (_, part) => part).filter((part) => !stored.has(part))
}
