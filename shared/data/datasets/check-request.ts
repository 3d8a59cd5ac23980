import type { DatasetRequest, PictureChoice } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ModelChoice } from '../../core/contracts/model-choice.ts'
import type { Run } from '../../core/contracts/run.ts'
import { describeInvalid } from '../../core/contracts/validation/describe-invalid.ts'
import { datasetFormats, findFormat } from '../formats/formats.ts'
import { annotationModel } from './annotation-model.ts'
import { datasetKinds, findKind } from './dataset-kinds.ts'
import { isAbsent } from './is-absent.ts'
import type { DatasetKind } from './kind.ts'
import type { SourceRuns, SourceTrajectories } from './open-attempts.ts'
import { orderRequest } from './order-request.ts'

export interface CheckNeeds {
  runs: Pick<SourceRuns, 'get'>
  trajectories: Pick<SourceTrajectories, 'get'>
  /**
   * Checks that the endpoint is configured.
   *
   * @throws EspalierError `unknown_endpoint`, naming `param`
   */
  checkEndpoint(choice: Pick<ModelChoice, 'endpoint'>, param: string): void | Promise<void>
  /** True if prompts of the run's first episodes showed pictures. */
  showsPictures(run: string): Promise<boolean>
}

const sourcesAtOnce = 16
const mostLooked = 16
/** Tolerance of the sum of split shares around 1, for the rounding of decimal fractions. */
const sumTolerance = 1e-9
/** Name prefixes of lineage files, and of data files without splits. */
const takenNames = ['data', 'lineage']

/**
 * Checks everything about a dataset that can be known before it is built.
 *
 * @returns the request with the kind's defaults filled in
 * @throws EspalierError naming the faulty field and the remedy
 */
export async function checkRequest(needs: CheckNeeds, request: DatasetRequest): Promise<DatasetRequest> {
  const kind = findKind(request.kind)
  const parameters = parseParameters(kind, request.parameters)
  const scores = withAsked(request.scores, parameters.score)
  checkFormat(kind, request)
  checkExperts(kind, request)
  checkMix(kind, request)
  checkSplits(request)
  if (request.model?.endpoint !== undefined) {
    await needs.checkEndpoint({ endpoint: request.model.endpoint }, 'model.endpoint')
  }
  await checkSources(needs, request)
  checkAsked(kind, parameters, request)
  const pictures = await choosePictures(needs, kind, request)
  return orderRequest({ ...request, parameters, ...(scores && { scores }), ...(pictures && { pictures }) })
}

function withAsked(scores: DatasetRequest['scores'], name: unknown): DatasetRequest['scores'] {
  if (typeof name !== 'string' || scores?.some((each) => each.name === name)) return scores
  return [...(scores ?? []), { name }]
}

function parseParameters(kind: DatasetKind, given: JsonObject): JsonObject {
  const parsed = kind.parameters.safeParse(given)
  if (parsed.success) return parsed.data as JsonObject
  throw describeInvalid(parsed.error, {
    part: 'json',
    schema: kind.parameters,
    value: given,
    at: ['parameters'],
  })
}

function checkFormat({ id }: DatasetKind, { format }: DatasetRequest): void {
  if (findFormat(format).kinds.includes(id)) return
  const fitting = datasetFormats.filter(({ kinds }) => kinds.includes(id)).map((each) => each.id)
  throw new EspalierError(
    'invalid_request',
    `The format "${format}" cannot hold rows of the kind "${id}". Choose one of: ${fitting.join(', ')}.`,
    { param: 'format' },
  )
}

function checkAsked(
  kind: DatasetKind,
  parameters: JsonObject,
  { limits, model, runs }: DatasetRequest,
): void {
  const asks = (kind.annotator?.(parameters) ?? null) !== null
  if (asks) {
    // A run names a model; imports alone do not.
    if (runs.length === 0) annotationModel(model, null)
    return
  }
  const param = model !== undefined ? 'model' : Object.keys(limits).length > 0 ? 'limits' : null
  if (param === null) return
  const asking = datasetKinds.filter(({ annotator }) => annotator !== undefined).map(({ id }) => id)
  throw new EspalierError(
    'invalid_request',
    `Rows of the kind "${kind.id}" are made without asking a model, with these parameters. Leave "${param}" out. Kinds that can ask one: ${asking.join(', ')}.`,
    { param },
  )
}

function checkExperts({ id, usesExperts = false }: DatasetKind, { experts }: DatasetRequest): void {
  if (usesExperts || experts.length === 0) return
  throw new EspalierError(
    'invalid_request',
    `Rows of the kind "${id}" are made without experts. Name them in "runs" or "trajectories" if rows are to be made of them, or leave them out.`,
    { param: 'experts' },
  )
}

function checkMix({ id, rowType }: DatasetKind, { mix }: DatasetRequest): void {
  if (mix === undefined || rowType === 'conversation') return
  const fitting = datasetKinds.filter((kind) => kind.rowType === 'conversation').map((kind) => kind.id)
  throw new EspalierError(
    'invalid_request',
    `Rows of the kind "${id}" are no conversations, so none can be mixed in. Leave "mix" out, or choose one of: ${fitting.join(', ')}.`,
    { param: 'mix' },
  )
}

function checkSplits({ splits }: DatasetRequest): void {
  if (splits === undefined) return
  const taken = takenNames.find((name) => name in splits)
  if (taken !== undefined) {
    throw new EspalierError(
      'invalid_request',
      `A split cannot be named "${taken}": files of other rows begin so. Choose another name, such as "train".`,
      { param: `splits.${taken}` },
    )
  }
  const sum = Object.values(splits).reduce((total, share) => total + share, 0)
  if (Math.abs(sum - 1) <= sumTolerance) return
  throw new EspalierError(
    'invalid_request',
    `The shares of the splits are ${Number(sum.toFixed(9))} in sum. Make it 1, as in {"train": 0.9, "validation": 0.1}.`,
    { param: 'splits' },
  )
}

async function checkSources(needs: CheckNeeds, request: DatasetRequest): Promise<void> {
  const named = (['runs', 'trajectories', 'experts'] as const).flatMap((field) =>
    request[field].map((id, index) => ({ field, id, param: `${field}[${index}]` })),
  )
  const mixed = (request.mix?.trajectories ?? []).map((id, index) => ({
    field: 'trajectories' as const,
    id,
    param: `mix.trajectories[${index}]`,
  }))
  named.push(...mixed)
  if (request.runs.length + request.trajectories.length === 0) {
    throw new EspalierError(
      'invalid_request',
      'Name at least one run in "runs", or imported trajectories in "trajectories".',
      { param: 'runs' },
    )
  }
  const seen = new Set<string>()
  for (const { id, param } of named) {
    if (seen.has(id)) {
      throw new EspalierError('invalid_request', `"${id}" is named twice. Name it once.`, { param })
    }
    seen.add(id)
  }
  for (let first = 0; first < named.length; first += sourcesAtOnce) {
    const batch = named.slice(first, first + sourcesAtOnce)
    await Promise.all(batch.map((source) => checkSource(needs, source)))
  }
}

async function checkSource(
  { runs, trajectories }: CheckNeeds,
  { field, id, param }: { field: 'runs' | 'trajectories' | 'experts'; id: string; param: string },
): Promise<void> {
  const run = field === 'trajectories' ? null : await orAbsence(runs.get(id))
  if (run !== null && !EspalierError.isInstance(run)) return checkRun(run, param)
  const imported = field === 'runs' ? null : await orAbsence(trajectories.get(id))
  if (imported === null || EspalierError.isInstance(imported)) throw unknown(run, imported, param)
  if (imported.status === 'complete') return
  throw new EspalierError(
    'invalid_state',
    `Rows of the trajectories "${id}" are still to come. Wait until the import is complete.`,
    { param },
  )
}

async function orAbsence<Value>(found: Promise<Value>): Promise<Value | EspalierError> {
  try {
    return await found
  } catch (error) {
    if (isAbsent(error)) return error
    throw error
  }
}

function unknown(run: EspalierError | null, imported: EspalierError | null, param: string): EspalierError {
  const messages = [
    run?.message ?? 'Runs belong in "runs".',
    imported?.message ?? 'Imported trajectories belong in "trajectories".',
  ]
  return new EspalierError('not_found', (run === null ? messages.toReversed() : messages).join(' '), {
    param,
  })
}

function checkRun({ id, episodes }: Run, param: string): void {
  const { succeeded, failed, limited, errored, cancelled } = episodes
  if (succeeded + failed + limited + errored + cancelled > 0) return
  throw new EspalierError(
    'invalid_state',
    `No episode of the run "${id}" has ended yet, so it has no rows to give. Wait for the first to end.`,
    { param },
  )
}

/**
 * The form of pictures, if the request chooses one, or if an episode of its runs showed some.
 *
 * @returns undefined if no checked episode showed any
 * @throws EspalierError `invalid_request` if rows are to show pictures and the kind or the format does not support
 * them
 */
async function choosePictures(
  { showsPictures }: CheckNeeds,
  kind: DatasetKind,
  request: DatasetRequest,
): Promise<PictureChoice | undefined> {
  let choice = request.pictures
  if (choice === undefined) {
    const shown = await Promise.all(request.runs.slice(0, mostLooked).map(showsPictures))
    if (shown.includes(true)) choice = 'show'
  }
  if (choice === 'show') checkPicturePlace(kind, request)
  return choice
}

function checkPicturePlace({ id, showsPictures = true }: DatasetKind, { format }: DatasetRequest): void {
  const fitting = datasetFormats.filter(({ pictures }) => pictures?.kinds.includes(id)).map((each) => each.id)
  if (showsPictures && findFormat(format).pictures?.kinds.includes(id)) return
  const leaveOut = 'leave pictures out: "pictures": "leave_out"'
  const message =
    showsPictures && fitting.length > 0
      ? `The rows of these runs show pictures, and the format "${format}" has no place for them in rows of the kind "${id}". Choose one of: ${fitting.join(', ')}; or ${leaveOut}.`
      : `Rows of the kind "${id}" are texts alone, and these runs show pictures. Choose another kind, or ${leaveOut}.`
  throw new EspalierError('invalid_request', message, { param: showsPictures ? 'format' : 'kind' })
}
