import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import { checkTenant } from '../../core/contracts/tenant.ts'
import type { Training, TrainingCheckpoint, TrainingRequest } from '../../core/contracts/training.ts'
import { newIdentifier } from '../../core/engine/identifiers.ts'
import { type JobConsumerHandler, toJobMessage } from '../../core/engine/jobs/job-messages.ts'
import type { World } from '../../core/world/ports.ts'
import { canonicalJson } from '../../data/datasets/canonical-json.ts'
import type { TenantDatasets } from '../../data/datasets/open-datasets.ts'
import { openAccelerators } from '../registry/accelerators.ts'
import type { TenantModels } from '../registry/model-registry.ts'
import { checkPlanned } from './check-planned.ts'
import { checkpointStore } from './checkpoints.ts'
import { modelOfCheckpoint } from './model-of-checkpoint.ts'
import { planTraining } from './plan-job.ts'
import { nothingReported } from './program/program-files.ts'
import type { Trainer } from './trainer.ts'
import { type TrainingState, trainingLedger } from './training-ledger.ts'
import { readPoints } from './training-points.ts'
import type { TenantTrainings, Trainings } from './trainings.ts'

export interface TrainingOptions {
  trainers: ReadonlyMap<string, Trainer>
  folder: string | null
  /** Folders of this machine that requests may name. Null: any. */
  folders: readonly string[] | null
}

export interface TrainingNeeds extends TrainingOptions {
  world: World
  datasets: Pick<TenantDatasets, 'of'>
  models: Pick<TenantModels, 'of'>
}

const open = ['queued', 'running'] as const

export function openTrainings(needs: TrainingNeeds): TenantTrainings {
  const { world, folder } = needs
  const ledger = trainingLedger(world.ledger)
  const accelerators = openAccelerators(world)
  const checkpoints = checkpointStore(world.objects)

  const planNeeds = (tenant: string) => ({
    trainers: needs.trainers,
    datasets: needs.datasets.of(tenant),
    models: needs.models.of(tenant),
    folders: needs.folders,
  })

  const handler: JobConsumerHandler = {
    async advance({ id, look, isRepeated }, { signal }) {
      const state = await ledger.read(id, null)
      // Another message has polled since. A redelivered one may be the only one left.
      if (look !== undefined && look < state.look && !isRepeated) return []
      const advanceNeeds = {
        world,
        ledger,
        accelerators,
        checkpoints,
        plan: planNeeds(state.tenant),
        models: needs.models.of(state.tenant),
        baseFolder: (training: string) => (folder === null ? null : join(folder, training, 'base')),
      }
      const { advanceTraining } = await import('./advance-training.ts')
      const delay = await advanceTraining(advanceNeeds, state, signal)
      if (delay === null || !(await ledger.countLook(id, state.look))) return []
      return [{ training: id, look: state.look + 1, delay }]
    },
    async giveUp(id, reason) {
      await ledger.change(id, open, {
        status: 'failed',
        reason: 'gave_up',
        error: reason,
        ended_at: new Date(world.clock.now()).toISOString(),
      })
    },
  }

  async function lookSoon({ training, look }: Pick<TrainingState, 'training' | 'look'>): Promise<void> {
    await world.queues.jobs.send([toJobMessage({ training: training.id, look, delay: 0 })])
  }

  function of(tenant: string): Trainings {
    async function findEarlier(key: { value: string; digest: string }): Promise<Training | null> {
      const earlier = await ledger.findByKey(tenant, key.value)
      if (earlier === null) return null
      if (earlier.digest === key.digest) return (await ledger.read(earlier.training, tenant)).training
      throw new EspalierError(
        'idempotency_key_reused',
        'This Idempotency-Key came before with another request. Send the same request, or a new key.',
      )
    }

    async function create(
      request: TrainingRequest,
      options: { idempotencyKey?: string } = {},
    ): Promise<Training> {
      const key =
        options.idempotencyKey === undefined
          ? null
          : { value: options.idempotencyKey, digest: hash('sha256', canonicalJson(request), 'hex') }
      const earlier = key === null ? null : await findEarlier(key)
      if (earlier !== null) return earlier
      const plan = await planTraining(planNeeds(tenant), request)
      const { base } = request
      // The files of a registered base reach a folder when it begins. They are checked then.
      const warnings = 'registered' in base ? [] : await plan.trainer.check({ ...plan.job, base })
      const now = world.clock.now()
      const training = newTraining(newIdentifier('training', now), now, plan.request, warnings)
      // Send the message first: a crash in between would otherwise leave a training that never begins.
      await world.queues.jobs.send([toJobMessage({ training: training.id, look: 0, delay: 1 })])
      if (await ledger.add(tenant, training, key)) return training
      const rival = key === null ? null : await findEarlier(key)
      if (rival === null) throw new Error(`The training ${training.id} could not be stored.`)
      return rival
    }

    async function stop(id: string, wanted: 'pause' | 'cancel'): Promise<Training> {
      const state = await ledger.read(id, tenant)
      const { status } = state.training
      if (status === (wanted === 'pause' ? 'paused' : 'cancelled')) return state.training
      const changed = await ledger.change(id, open, {
        wanted,
        wanted_because: wanted === 'pause' ? 'asked' : null,
      })
      if (changed !== null) {
        await lookSoon(changed)
        return changed.training
      }
      if (wanted === 'cancel' && (status === 'paused' || status === 'failed')) {
        const ended_at = new Date(world.clock.now()).toISOString()
        const done = await ledger.change(id, ['paused', 'failed'], { status: 'cancelled', ended_at })
        if (done !== null) {
          await checkpoints.remove(id, done.training.checkpoints)
          await lookSoon(done)
          return done.training
        }
      }
      throw ended(state.training, wanted)
    }

    return {
      create,
      checkPlanned: (planned) => checkPlanned(needs, planned),
      get: async (id) => (await ledger.read(id, tenant)).training,
      list: (query) => ledger.list(tenant, query),
      cancel: (id) => stop(id, 'cancel'),
      pause: (id) => stop(id, 'pause'),
      async resume(id, { limits } = {}) {
        const state = await ledger.read(id, tenant)
        const { status, request } = state.training
        if (status === 'queued' || status === 'running') {
          await lookSoon(state)
          return state.training
        }
        if (status !== 'paused' && status !== 'failed') throw ended(state.training, 'resume')
        const wanted = { ...request, limits: { ...request.limits, ...limits } }
        checkLimitsLeft(state.training, wanted)
        const changed = await ledger.change(id, ['paused', 'failed'], {
          status: 'queued',
          request: wanted,
          error: null,
          reason: null,
          ended_at: null,
          wanted: null,
          wanted_because: null,
          deaths: 0,
        })
        const now = changed ?? (await ledger.read(id, tenant))
        await lookSoon(now)
        return now.training
      },
      async metrics(id) {
        await ledger.read(id, tenant)
        return readPoints(world.objects, id)
      },
      async registerCheckpoint(id, step) {
        const { training } = await ledger.read(id, tenant)
        if (training.status === 'queued' || training.status === 'running') {
          throw new EspalierError('invalid_state', 'It runs: pause it first, or wait for its end.', {
            param: 'training',
          })
        }
        const checkpoint = training.checkpoints.find((each) => each.step === step)
        if (checkpoint === undefined) {
          const steps = training.checkpoints.map((each) => each.step).join(', ') || 'none'
          throw new EspalierError(
            'not_found',
            `There is no checkpoint at step ${step}. Kept are: ${steps}.`,
            {
              param: 'step',
            },
          )
        }
        return registerCheckpoint(training, checkpoint)
      },
    }

    async function registerCheckpoint(
      { id, name, request }: Training,
      { step, remote }: TrainingCheckpoint,
    ): Promise<string> {
      const { base } = request
      const facts = {
        name: `${name ?? id} at step ${step}`,
        parent: 'registered' in base ? base.registered : null,
        base: 'registered' in base ? null : base,
        training: id,
        datasets: request.datasets.map((each) => each.dataset),
      }
      const key = { idempotencyKey: `training/${id}/step/${step}` }
      const models = needs.models.of(tenant)
      if (remote !== null) {
        const kept = { trainer: request.trainer, name: remote }
        return (await models.register({ ...facts, files: [], remote: kept }, key)).id
      }
      const place = await mkdtemp(join(folder ?? tmpdir(), 'checkpoint-'))
      try {
        const made = await modelOfCheckpoint(
          { checkpoints, models, trainers: needs.trainers },
          { training: id, request, step },
          place,
        )
        return (await models.register({ ...made, ...facts }, key)).id
      } finally {
        await rm(place, { recursive: true, force: true })
      }
    }
  }

  return { of: (tenant) => of(checkTenant(tenant)), handler }
}

function newTraining(id: string, now: number, request: TrainingRequest, warnings: string[]): Training {
  const nothing = {
    tokens: null,
    learned_tokens: null,
    longest: null,
    too_long: null,
    truncated: null,
    dropped: null,
  }
  return {
    id,
    object: 'training',
    name: request.name ?? null,
    status: 'queued',
    error: null,
    reason: null,
    created_at: new Date(now).toISOString(),
    started_at: null,
    ended_at: null,
    request,
    progress: { ...nothingReported, phase: 'waiting' },
    metrics: null,
    rows: { total: 0, by_dataset: [], ...nothing },
    usage: { seconds: 0, cost: 0, starts: 0 },
    checkpoints: [],
    model: null,
    log_tail: [],
    warnings,
  }
}

function checkLimitsLeft({ usage }: Training, { limits }: TrainingRequest): void {
  for (const [name, used] of [
    ['cost', usage.cost],
    ['time', usage.seconds],
  ] as const) {
    const limit = limits[name]
    if (limit === undefined || used < limit) continue
    throw new EspalierError(
      'invalid_state',
      `Of limits.${name}, ${limit}, nothing is left: ${Number(used.toFixed(3))} is used. Resume it with a higher one.`,
      { param: `limits.${name}` },
    )
  }
}

function ended({ id, status }: Training, action: string): EspalierError {
  return new EspalierError(
    'invalid_state',
    `The training "${id}" is ${status}: there is nothing to ${action}.`,
    {
      param: 'training',
    },
  )
}
