import { EspalierError } from '../../core/contracts/errors.ts'
import type { Training, TrainingReason } from '../../core/contracts/training.ts'
import { isTransient } from '../../core/engine/episodes/episode-error.ts'
import { isDamage } from '../../core/world/damage-book.ts'
import type { World } from '../../core/world/ports.ts'
import type { Accelerators } from '../registry/accelerators.ts'
import type { ModelRegistry } from '../registry/model-registry.ts'
import { type CheckpointStore, remoteCheckpoint } from './checkpoints.ts'
import { cancelTraining, endedNow, failTraining, pauseTraining, releaseTrainer } from './end-training.ts'
import { checkLineage, jobOf, planTraining, type TrainingPlan, type TrainingPlanNeeds } from './plan-job.ts'
import { type Trainer, type TrainerJob, type TrainerState, TrainerUnreachableError } from './trainer.ts'
import { releaseAccelerator, renewAccelerator, takeAccelerator } from './training-accelerator.ts'
import type { TrainingLedger, TrainingState } from './training-ledger.ts'
import { storePoints } from './training-points.ts'

export interface TrainingAdvanceNeeds {
  world: Pick<World, 'objects' | 'clock'>
  ledger: TrainingLedger
  accelerators: Accelerators
  checkpoints: CheckpointStore
  plan: TrainingPlanNeeds
  models: ModelRegistry
  /** Folder for the files of a registered base. Null: none, as in Lambda functions. */
  baseFolder(training: string): string | null
}

const waitEvery = 2
/** Deaths of a trainer between two checkpoints before the training fails: a third try would hardly end otherwise. */
const mostDeaths = 2

const open = ['queued', 'running'] as const

/** Advances a training by one step. @returns seconds until the next step. Null: wait until it is resumed */
export async function advanceTraining(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  signal: AbortSignal,
): Promise<number | null> {
  const { training } = state
  const trainer = needs.plan.trainers.get(training.request.trainer)
  const endRenewals = renewAccelerator(needs, state)
  try {
    if (training.status !== 'queued' && training.status !== 'running') {
      if (trainer === undefined) return null
      await releaseTrainer(needs, state)
      const isOver = training.status === 'cancelled' || training.status === 'succeeded'
      if (isOver) await trainer.release(training.id)
      return null
    }
    const plan = await planTraining(needs.plan, training.request)
    const job = jobOf(training, plan, needs.baseFolder(training.id))
    if (state.wanted === 'cancel') return await cancelTraining(needs, state, plan, job)
    if (training.status === 'queued') return await begin(needs, state, plan, job, signal)
    return await look(needs, state, plan, job, signal)
  } catch (error) {
    if (error instanceof TrainerUnreachableError) return askLater(needs, state, error)
    if (signal.aborted || !EspalierError.isInstance(error) || isTransient(error)) throw error
    if (error.status >= 500 && !isDamage(error)) throw error
    return failTraining(needs, state, 'refused', error.message)
  } finally {
    endRenewals()
  }
}

const unanswered = 'The trainer’s service did not answer: '

async function askLater(
  { ledger }: TrainingAdvanceNeeds,
  { training }: TrainingState,
  { message, retryAfter }: TrainerUnreachableError,
): Promise<number> {
  const known = training.log_tail.filter((line) => !line.startsWith(unanswered))
  await ledger.change(training.id, open, { log_tail: [...known, `${unanswered}${message}`] })
  return retryAfter
}

/** Starts the trainer once its accelerator is free. @returns seconds until the next poll */
async function startTrainer(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  trainer: Trainer,
  job: TrainerJob,
): Promise<number | null> {
  if (!(await takeAccelerator(needs, state, trainer))) {
    return state.wanted === 'pause' ? pauseTraining(needs, state) : waitEvery
  }
  await trainer.start(job)
  await needs.ledger.change(job.training, ['running'], { is_starting: false })
  return trainer.lookEvery
}

async function begin(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  plan: TrainingPlan,
  job: TrainerJob,
  signal: AbortSignal,
): Promise<number | null> {
  const { ledger, world } = needs
  const { trainer, request } = plan
  const { training } = state
  if (state.wanted === 'pause') return pauseTraining(needs, state)
  if (trainer.atOnce !== null && !(await ledger.take(request.trainer, trainer.atOnce, training.id))) {
    const waiting_for = `a place at the trainer ${request.trainer}`
    await ledger.change(training.id, open, {
      progress: { ...training.progress, phase: 'waiting', waiting_for },
    })
    return waitEvery
  }
  if (!(await takeAccelerator(needs, state, trainer))) return waitEvery
  const started = await ledger.change(training.id, ['queued'], {
    status: 'running',
    is_starting: true,
    error: null,
    reason: null,
    started_at: training.started_at ?? new Date(world.clock.now()).toISOString(),
    progress: { ...training.progress, phase: 'preparing', waiting_for: null },
  })
  return started === null ? 0 : prepareAndStart(needs, started, plan, job, signal)
}

/** Submits the job to the trainer. Safe to call again after a crash: it starts nothing twice. */
async function prepareAndStart(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  { trainer }: TrainingPlan,
  job: TrainerJob,
  signal: AbortSignal,
): Promise<number | null> {
  const { ledger, world } = needs
  const { training } = state
  const unknown = await checkLineage({ ...needs.plan, objects: world.objects }, job.data, signal)
  const warnings =
    unknown === 0
      ? []
      : [
          `${unknown} rows are of tasks whose split is not known: whether they are held out cannot be checked.`,
        ]
  await prepareBase(needs, training, job)
  warnings.push(...(await trainer.check(job)))
  await restoreCheckpoint(needs, state, job)
  const next = await startTrainer(needs, state, trainer, job)
  await ledger.change(training.id, ['running'], {
    warnings: [...new Set([...training.warnings, ...warnings])],
  })
  return next
}

async function prepareBase(
  { models }: TrainingAdvanceNeeds,
  { request }: Training,
  { base }: TrainerJob,
): Promise<void> {
  if ('registered' in request.base && 'folder' in base)
    await models.materialize(request.base.registered, base.folder)
}

async function restoreCheckpoint(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  job: TrainerJob,
): Promise<void> {
  const trainer = needs.plan.trainers.get(state.training.request.trainer)
  const last = state.training.checkpoints.findLast(({ has_optimizer }) => has_optimizer)
  if (trainer?.restore === undefined || last === undefined) return
  await trainer.restore(job, last.step, (folder) =>
    needs.checkpoints.restore(job.training, last.step, folder),
  )
}

async function look(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  plan: TrainingPlan,
  job: TrainerJob,
  signal: AbortSignal,
): Promise<number | null> {
  const { trainer } = plan
  if (state.is_starting) return prepareAndStart(needs, state, plan, job, signal)
  const seen = await trainer.look(job)
  const recorded = await record(needs, state, seen)
  if (recorded === null) return 0
  switch (seen.state) {
    case 'absent':
      await prepareBase(needs, state.training, job)
      await restoreCheckpoint(needs, recorded, job)
      return startTrainer(needs, recorded, trainer, job)
    case 'running':
      // The lease of the accelerator expired, for example in a suspended machine, and another training holds it: wait
      // for that one.
      if (!(await takeAccelerator(needs, recorded, trainer))) {
        await trainer.stop(job, { atOnce: false })
        return trainer.lookEvery
      }
      return keepWithinLimits(needs, recorded, plan, job)
    case 'stopped':
      if (recorded.wanted === 'pause') return pauseTraining(needs, recorded)
      if (seen.reached !== undefined)
        return pauseTraining(needs, { ...recorded, wanted_because: seen.reached })
      return startTrainer(needs, recorded, trainer, job)
    case 'died':
      return startAgain(needs, recorded, plan, job)
    case 'failed':
      await trainer.stop(job, { atOnce: true })
      return failTraining(
        needs,
        recorded,
        seen.error?.reason ?? 'trainer_failed',
        seen.error?.message ?? 'It failed.',
      )
    case 'cancelled':
      if (recorded.wanted === 'pause') return pauseTraining(needs, recorded)
      return failTraining(needs, recorded, 'trainer_failed', seen.error?.message ?? 'It was cancelled.')
    case 'succeeded':
      return succeed(needs, recorded, plan, job, signal)
  }
}

async function record(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  seen: TrainerState,
): Promise<TrainingState | null> {
  const { training } = state
  const stored = [...training.checkpoints]
  const isOver = seen.state === 'succeeded'
  const fresh = seen.checkpoints.filter(({ step }) => !stored.some((each) => each.step === step))
  for (const files of fresh) {
    const checkpoint = await needs.checkpoints.store(training.id, files)
    if (checkpoint !== null) stored.push(checkpoint)
  }
  const remote = (seen.remoteCheckpoints ?? []).filter(
    ({ step }) => !stored.some((each) => each.step === step),
  )
  stored.push(...remote.map(remoteCheckpoint))
  const keep = training.request.keep_checkpoints
  const checkpoints =
    fresh.length > 0 || remote.length > 0 || isOver
      ? await needs.checkpoints.prune(training.id, stored, { keep, isDone: isOver })
      : stored
  if (seen.points.length > 0) await storePoints(needs.world.objects, training.id, seen.points)
  return needs.ledger.change(training.id, open, {
    checkpoints,
    progress: seen.state === 'absent' ? training.progress : seen.progress,
    metrics: seen.points.at(-1) ?? training.metrics,
    rows: seen.rows ?? training.rows,
    usage: seen.usage,
    log_tail: seen.tail,
    warnings: [...new Set([...training.warnings, ...seen.warnings])],
  })
}

async function keepWithinLimits(
  { ledger }: TrainingAdvanceNeeds,
  { training, wanted }: TrainingState,
  { trainer }: TrainingPlan,
  job: TrainerJob,
): Promise<number> {
  const { limits } = training.request
  const { seconds, cost } = training.usage
  const reached: TrainingReason | null =
    limits.cost !== undefined && cost >= limits.cost
      ? 'cost_limit'
      : limits.time !== undefined && seconds >= limits.time
        ? 'time_limit'
        : null
  if (wanted === null && reached !== null) {
    await ledger.change(training.id, open, { wanted: 'pause', wanted_because: reached })
  }
  if (wanted !== null || reached !== null) await trainer.stop(job, { atOnce: false })
  return trainer.lookEvery
}

async function startAgain(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  { trainer }: TrainingPlan,
  job: TrainerJob,
): Promise<number | null> {
  const { training, wanted } = state
  // The stop reached it before it began to train.
  if (wanted === 'pause') return pauseTraining(needs, state)
  const last = training.checkpoints.at(-1)?.step ?? 0
  const deaths = last > state.died_at ? 1 : state.deaths + 1
  const where = last === 0 ? 'from its beginning' : `from its checkpoint at step ${last}`
  if (deaths > mostDeaths) {
    const message = `The trainer was killed ${deaths} times without coming to another checkpoint. Its machine may be short of memory.`
    return failTraining(needs, state, 'trainer_died', message)
  }
  const warning = `The trainer was killed near step ${training.progress.step} and started again ${where}.`
  await needs.ledger.change(training.id, open, {
    deaths,
    died_at: last,
    warnings: [...new Set([...training.warnings, warning])],
  })
  return startTrainer(needs, state, trainer, job)
}

async function succeed(
  needs: TrainingAdvanceNeeds,
  state: TrainingState,
  { trainer, datasets, runs }: TrainingPlan,
  job: TrainerJob,
  signal: AbortSignal,
): Promise<number | null> {
  const { training } = state
  const { id, request } = training
  // Its process has ended, and storing the model needs no accelerator.
  await releaseAccelerator(needs, training)
  await needs.ledger.change(id, open, { progress: { ...training.progress, phase: 'registering' } })
  const made = await trainer.collect(job)
  signal.throwIfAborted()
  const { base } = request
  const model = await needs.models.register(
    {
      name: training.name ?? undefined,
      files: made.files,
      parent: 'registered' in base ? base.registered : null,
      base: 'registered' in base ? null : base,
      training: id,
      datasets: datasets.map((each) => each.id),
      runs,
      ...(made.format === 'remote' ? {} : { format: made.format }),
      ...(made.remote !== null && { remote: { trainer: request.trainer, name: made.remote } }),
      tokenizer: made.tokenizer,
      chat_template: made.chatTemplate,
      context_length: made.contextLength,
    },
    { idempotencyKey: `training/${id}` },
  )
  const done = await needs.ledger.change(id, ['running'], {
    status: 'succeeded',
    error: null,
    reason: null,
    model: model.id,
    wanted: null,
    wanted_because: null,
    progress: { ...training.progress, phase: 'done', seconds_left: 0 },
    ...endedNow(needs),
  })
  if (done === null) return 0
  await releaseTrainer(needs, state)
  await trainer.release(job.training)
  return null
}
