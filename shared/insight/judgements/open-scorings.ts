import { EspalierError } from '../../core/contracts/errors.ts'
import type { ScorerIdentity } from '../../core/contracts/judgement.ts'
import type { RubricScoring, RubricScoringRequest } from '../../core/contracts/rubric-scoring.ts'
import { type Run, runRequestSchema } from '../../core/contracts/run.ts'
import { digest } from '../../core/engine/digest.ts'
import { newIdentifier } from '../../core/engine/identifiers.ts'
import { annotationRunOf } from '../../core/engine/runs/annotation-run-of.ts'
import { isFinal } from '../../core/engine/runs/run-row.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { World } from '../../core/world/ports.ts'
import { judgeRubricPrompt } from '../../data/datasets/annotators/judge-rubric.ts'
import { attemptTask } from '../../data/datasets/attempt-task.ts'
import { canonicalJson } from '../../data/datasets/canonical-json.ts'
import { endDigest } from '../../data/datasets/end-digest.ts'
import { listEpisodes } from '../reports/open-reports.ts'
import { collectRubric } from './collect-rubric.ts'
import { isJudgeable } from './find-judgeable.ts'
import { JudgementStore } from './judgement-store.ts'
import { ScoringLedger, type ScoringRow } from './scoring-ledger.ts'

export interface Scorings {
  /**
   * Grades the ended episodes of a run by a model and a rubric, in a run of its own with the same payment, caps and
   * journal as any other. Repeated with the same request, it continues: it stores the judge's new answers, and a
   * higher limit resumes a paused run. It skips episodes that the same judge has graded.
   * @throws EspalierError `not_found`; `unknown_endpoint`, `unpriced_endpoint` as a run does; `invalid_state` while
   * another judge is at work under the name; `conflict` if the name is people's
   */
  advance(run: string, request: RubricScoringRequest): Promise<RubricScoring>
}

export interface ScoringNeeds {
  world: Pick<World, 'clock' | 'ledger'>
  runs: Pick<Runs, 'annotate' | 'episodes' | 'get' | 'journal' | 'resume'>
}

export function openScorings({ runs, world }: ScoringNeeds): Scorings {
  const store = new JudgementStore(world.ledger)
  const scorings = new ScoringLedger(world.ledger)

  async function advance(id: string, request: RubricScoringRequest): Promise<RubricScoring> {
    const run = await runs.get(id)
    const row = await scorings.get(id, request.name)
    if (row === null || row.closed) return start(run, request, row)
    const judging = await findRun(annotationRunOf(row.scoring))
    const isSame = row.by.digest === judgeOf(request).digest
    if (judging === null) {
      // It is about to exist, or the service died before it did: an id has only one run. Or it was deleted.
      return isSame && row.collected === 0 ? ask(run, request, row) : start(run, request, row)
    }
    if (!isSame && !isFinal(judging.status)) throw busy(judging.id, request.name)
    const state = await collect(run.id, request, row, judging)
    return isSame ? state : advance(id, request)
  }

  async function start(
    run: Run,
    request: RubricScoringRequest,
    before: ScoringRow | null,
  ): Promise<RubricScoring> {
    const { name } = request
    const by = judgeOf(request)
    const { episodes, ...counts } = await findUnjudged(store, runs, run.id, by.digest, request)
    const begun = { ...counts, scored: 0, errors: 0 }
    if (episodes.length === 0) {
      const judged = { object: 'scoring' as const, run: run.id, name, by, ...begun }
      return { ...judged, judge_run: null, status: 'ended', reason: null, usage: null }
    }
    await store.claimName(run.id, name, by.kind)
    const scoring = newIdentifier('scoring', world.clock.now())
    const row: ScoringRow = { by, scoring, closed: false, collected: 0, ...begun }
    // Of two concurrent starts one succeeds, and the other follows it.
    if (!(await scorings.start(run.id, name, row, before))) return advance(run.id, request)
    return ask(run, request, row, episodes)
  }

  async function ask(
    run: Run,
    request: RubricScoringRequest,
    row: ScoringRow,
    found?: readonly string[],
  ): Promise<RubricScoring> {
    const episodes = found ?? (await findUnjudged(store, runs, run.id, row.by.digest, request)).episodes
    const tasks = episodes.map((episode) => attemptTask({ source: run.id, episode }))
    try {
      const judging = await runs.annotate(row.scoring, toRunRequest(run, request), tasks)
      return await collect(run.id, request, row, judging)
    } catch (error) {
      if ((await findRun(annotationRunOf(row.scoring))) === null)
        await scorings.remove(run.id, request.name, row)
      throw error
    }
  }

  async function collect(
    run: string,
    { limits, name }: RubricScoringRequest,
    before: ScoringRow,
    found: Run,
  ): Promise<RubricScoring> {
    const isRaised = (['cost', 'tokens', 'time'] as const).some(
      (cap) => limits[cap] !== undefined && limits[cap] !== found.request.limits[cap],
    )
    const judging = found.status === 'paused' && isRaised ? await runs.resume(found.id, { limits }) : found
    const at = new Date(world.clock.now()).toISOString()
    const scored = { run, name, by: before.by, at }
    const { judgements, read } = await collectRubric(runs, scored, judging.id, before.collected)
    await store.put(judgements)
    const collected = before.collected + read
    const errors = judgements.filter(({ value }) => value === null).length
    const row = await scorings.change(run, name, before, {
      collected,
      closed: isFinal(judging.status) && collected >= judging.episodes.total,
      scored: before.scored + judgements.length - errors,
      errors: before.errors + errors,
    })
    return show({ run, name }, row, judging)
  }

  async function findRun(run: string): Promise<Run | null> {
    try {
      return await runs.get(run)
    } catch (error) {
      if (EspalierError.isInstance(error) && error.code === 'not_found') return null
      throw error
    }
  }

  return { advance }
}

function judgeOf({ model, rubric }: RubricScoringRequest): ScorerIdentity {
  const { max_prompt_tokens: _, max_tokens: __, tokenizer: ___, ...judge } = model
  return {
    kind: 'scorer',
    name: 'rubric',
    digest: digest(canonicalJson([judgeRubricPrompt.text, rubric, judge])),
    model: `${model.endpoint}/${model.id}`,
  }
}

function toRunRequest(
  { id, request: { environment } }: Run,
  { limits, model, name, rubric }: RubricScoringRequest,
) {
  return runRequestSchema.parse({
    name: `judges ${id} for the score ${name}`,
    environment,
    tasks: {},
    method: { id: 'judge-rubric', scored_run: id, score: name, rubric },
    model,
    limits,
    metadata: { scored_run: id, score: name },
  })
}

function show(place: { run: string; name: string }, row: ScoringRow, judging: Run): RubricScoring {
  const { by, errors, scored, skipped, total } = row
  const judged = { object: 'scoring' as const, ...place, by, judge_run: judging.id }
  return { ...judged, ...stateOf(row, judging), total, skipped, scored, errors, usage: judging.usage }
}

function stateOf(
  row: ScoringRow,
  { id, status, status_reason }: Run,
): Pick<RubricScoring, 'status' | 'reason'> {
  if (status === 'paused') {
    return {
      status: 'paused',
      reason: `The run ${id}, which asks the judge, is paused: ${status_reason} Ask once more with a higher limit, or resume that run.`,
    }
  }
  if (!row.closed) return { status: 'going', reason: null }
  if (status === 'cancelled')
    return { status: 'failed', reason: `The run ${id}, which asks the judge, was cancelled.` }
  return { status: 'ended', reason: null }
}

function busy(judgeRun: string, name: string): EspalierError {
  return new EspalierError(
    'invalid_state',
    `The run ${judgeRun} still asks another judge for the score "${name}". Wait until it has ended, cancel it, or choose another name.`,
    { param: 'name' },
  )
}

interface Unjudged {
  episodes: string[]
  total: number
  skipped: number
}

async function findUnjudged(
  store: JudgementStore,
  runs: Pick<Runs, 'episodes'>,
  run: string,
  digest: string,
  { again, limit = Number.POSITIVE_INFINITY, name }: Pick<RubricScoringRequest, 'again' | 'limit' | 'name'>,
): Promise<Unjudged> {
  const known = new Map<string, string>()
  for await (const { by, end, episode, node, value } of store.read(run, { name, kind: 'scorer' })) {
    const isSame = node === null && by.kind === 'scorer' && by.digest === digest
    if (isSame && !(again && value === null)) known.set(episode, end)
  }
  const found: Unjudged = { episodes: [], total: 0, skipped: 0 }
  for await (const episode of listEpisodes(runs, run)) {
    if (found.total === limit) break
    if (!isJudgeable(episode)) continue
    found.total += 1
    if (known.get(episode.id) === endDigest(episode)) found.skipped += 1
    else found.episodes.push(episode.id)
  }
  return found
}
