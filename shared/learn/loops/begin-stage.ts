import type { DatasetRequest } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Loop, LoopPolicy, LoopStage } from '../../core/contracts/loop.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import type { TrainingRequest } from '../../core/contracts/training.ts'
import type { World } from '../../core/world/ports.ts'
import { erroredShare } from './compare-evaluations.ts'
import type { LoopPorts } from './loop-ports.ts'
import { findStage, type LoopState } from './loop-state.ts'
import { exploringRound, type PlannedStage } from './plan-stages.ts'
import { datasetRequest, evaluationRequest, explorationRequest, trainingRequest } from './stage-requests.ts'
import type { StageLimits } from './stage-work.ts'

export interface BeginNeeds {
  parts: LoopPorts
  objects: Pick<World['objects'], 'get' | 'put' | 'delete'>
}

export interface BegunStage {
  ref: string
  facts: JsonObject
}

/**
 * Starts a stage. Safe to call again after a crash: it stores each request before it sends it, under the stage's
 * idempotency key, and so creates nothing twice.
 *
 * @param tries - number of starts of this stage, this one included
 * @throws EspalierError if the request is refused
 */
export async function beginStage(
  needs: BeginNeeds,
  state: LoopState,
  stage: PlannedStage,
  { tries, limits }: { tries: number; limits: StageLimits },
): Promise<BegunStage> {
  const { parts } = needs
  const { loop } = state
  const again = tries === 1 ? '' : `/try/${tries}`
  const idempotencyKey = `loop/${loop.id}/round/${stage.round}/${stage.id}${again}`
  const key = requestKey(loop, stage, tries)
  const settle = <Request extends RunRequest | DatasetRequest | TrainingRequest>(make: () => Request) =>
    settleRequest(needs, key, make)
  try {
    return await make(parts, state, stage, { idempotencyKey, limits, settle })
  } catch (error) {
    // Nothing was created, so the next try may send another request, under other caps.
    if (EspalierError.isInstance(error) && error.status < 500) await needs.objects.delete(key)
    throw error
  }
}

export async function isAskedFor(
  { objects }: BeginNeeds,
  { loop }: LoopState,
  stage: PlannedStage,
): Promise<boolean> {
  return (await objects.get(requestKey(loop, stage, 1))) !== null
}

function requestKey({ id }: Pick<Loop, 'id'>, { round, id: stage }: PlannedStage, tries: number): string {
  return `loops/${id}/round-${round}/${stage}-${tries}.json`
}

interface MakeOptions {
  idempotencyKey: string
  limits: StageLimits
  settle<Request extends RunRequest | DatasetRequest | TrainingRequest>(make: () => Request): Promise<Request>
}

async function make(
  parts: LoopPorts,
  state: LoopState,
  stage: PlannedStage,
  { idempotencyKey, limits, settle }: MakeOptions,
): Promise<BegunStage> {
  const { loop } = state
  switch (stage.kind) {
    case 'explore':
    case 'evaluate': {
      const policy = await askedPolicy(parts, loop, stage)
      const toRequest = stage.kind === 'explore' ? explorationRequest : evaluationRequest
      const request = await settle(() => toRequest(loop, stage, policy, limits))
      return { ref: (await parts.runs.create(request, { idempotencyKey })).id, facts: {} }
    }
    case 'build': {
      const request = await settle(() => datasetRequest(state, stage, limits))
      return { ref: (await parts.datasets.create(request, { idempotencyKey })).id, facts: {} }
    }
    case 'train': {
      const request = await settle(() => trainingRequest(loop, stage, limits))
      const datasets = request.datasets.map(({ dataset }) => dataset)
      return { ref: (await parts.trainings.create(request, { idempotencyKey })).id, facts: { datasets } }
    }
    case 'serve': {
      const { model, facts } = await modelToServe(parts, loop, stage)
      return { ref: await parts.servers.serve(model), facts: { ...facts, model } }
    }
  }
}

/** Returns the request as first stored: after a crash the remaining caps may differ. */
async function settleRequest<Request extends object>(
  { objects }: BeginNeeds,
  key: string,
  make: () => Request,
): Promise<Request> {
  const stored = await objects.get(key)
  if (stored === null) {
    await objects.put(key, Buffer.from(JSON.stringify(make())), {
      if_none_match: '*',
      content_type: 'application/json',
    })
  }
  const settled = stored ?? (await objects.get(key))
  if (settled === null) throw new Error(`${key} was stored and is gone.`)
  return JSON.parse(Buffer.from(settled.body).toString('utf8')) as Request
}

/** Chooses the policy of a run. It serves a registered model again in case its endpoint was removed meanwhile. */
async function askedPolicy(parts: LoopPorts, loop: Loop, stage: PlannedStage): Promise<LoopPolicy> {
  if (stage.purpose === 'round') {
    const round = loop.rounds[stage.kind === 'explore' ? exploringRound(loop, stage.round) : stage.round]
    const policy = round?.policy ?? null
    if (policy === null) throw new Error(`No model answers in ${stage.id} of round ${stage.round}.`)
    if (round?.model === null) return policy
    return { ...policy, endpoint: await parts.servers.serve(policy.id) }
  }
  const served = stage.purpose === 'control' ? 'serve-control' : `serve-step-${stage.step}`
  const model = findStage(loop, stage.round, served)?.facts.model
  if (typeof model !== 'string') throw new Error(`No model was served by ${served}.`)
  return { endpoint: await parts.servers.serve(model), id: model }
}

async function modelToServe(
  parts: LoopPorts,
  loop: Loop,
  { purpose, round, step }: PlannedStage,
): Promise<{ model: string; facts: JsonObject }> {
  const { base } = loop.request
  if (purpose === 'control') return { model: trained(findStage(loop, round, 'train-control')), facts: {} }
  if (round === 0) {
    const warm = findStage(loop, 0, 'train-experts')
    if (warm !== undefined) return { model: trained(warm), facts: {} }
    if ('registered' in base) return { model: base.registered, facts: {} }
    throw new Error('The base is not registered.')
  }
  const training = findStage(loop, round, 'train')
  if (training === undefined) throw new Error(`Round ${round} has not trained.`)
  if (purpose === 'candidate') {
    return { model: await checkpointModel(parts, training, step as number), facts: {} }
  }
  const choice = await chooseCheckpoint(parts, loop, round)
  if (choice === null) return { model: trained(training), facts: {} }
  return { model: choice.model, facts: { chosen_step: choice.step, why: choice.why } }
}

async function checkpointModel({ trainings }: LoopPorts, training: LoopStage, step: number): Promise<string> {
  return step === training.facts.steps ? trained(training) : trainings.registerCheckpoint(training.ref, step)
}

function trained(stage: LoopStage | undefined): string {
  const model = stage?.facts.model
  if (typeof model !== 'string') throw new Error(`The stage ${stage?.id ?? 'train'} registered no model.`)
  return model
}

interface CheckpointChoice {
  step: number
  model: string
  why: string
}

/**
 * Chooses the checkpoint with the best result on the dev tasks, the last of equals. It leaves out evaluations with
 * too many errors.
 *
 * @returns null if there are no candidates: the end of the training is the model
 */
async function chooseCheckpoint(
  { reports, runs }: Pick<LoopPorts, 'reports' | 'runs'>,
  { request, rounds }: Pick<Loop, 'request' | 'rounds'>,
  round: number,
): Promise<CheckpointChoice | null> {
  const stages = rounds[round]?.stages ?? []
  const candidates = stages.flatMap((stage) => {
    if (stage.purpose !== 'candidate' || stage.kind !== 'evaluate') return []
    const step = Number(stage.id.replace('evaluate-step-', ''))
    const model = stages.find(({ id }) => id === `serve-step-${step}`)?.facts.model
    return typeof model === 'string' ? [{ step, model, run: stage.ref }] : []
  })
  const last = candidates.at(-1)
  if (last === undefined) return null
  const shares = await Promise.all(candidates.map(async ({ run }) => erroredShare(await runs.get(run))))
  const sound = candidates.filter((_, index) => (shares[index] as number) <= request.max_errored)
  const share = `more than ${Math.round(request.max_errored * 100)} % of their episodes errored`
  if (sound.length < 2) {
    const chosen = sound[0] ?? last
    return { ...chosen, why: `Not compared on the dev tasks: of the other checkpoints ${share}.` }
  }
  const { runs: compared } = await reports.compare(sound.map(({ run }) => run))
  const means = compared.map((each) => each[request.metric].mean ?? 0)
  const best = Math.max(...means)
  const chosen = sound[means.lastIndexOf(best)] ?? last
  const left =
    sound.length === candidates.length ? '' : ` (${candidates.length - sound.length} left out: ${share})`
  return {
    ...chosen,
    why: `The best of ${sound.length} checkpoints on the dev tasks${left}: ${request.metric} ${best.toFixed(3)}.`,
  }
}
