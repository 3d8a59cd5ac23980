import type {
  deletedJudgementSchema,
  EpisodeJudgement,
  JudgementPlace,
  JudgementRequest,
  ScoreSummary,
} from '../contracts/judgement.ts'
import type { List } from '../contracts/list.ts'
import type { RubricScoring, RubricScoringInput } from '../contracts/rubric-scoring.ts'
import type { RecordScoresInput, ScoreReport } from '../contracts/scoring.ts'
import { datasetCalls, importCalls, loopCalls, modelCalls, trainingCalls } from './build-calls.ts'
import {
  accessCalls,
  catalogueCalls,
  endpointCalls,
  learnedCalls,
  rolloutCalls,
  runCalls,
  sessionCalls,
} from './play-calls.ts'
import { openRequests, type Requests } from './requests.ts'
import type { Query, Transport } from './transport.ts'

export type ApiClient = ReturnType<typeof createApiClient>

/**
 * The HTTP API as typed functions. Every call throws ApiError if the service refuses, and ConnectionError if no
 * service answers.
 */
export function createApiClient(transport: Transport) {
  const requests = openRequests(transport)
  return {
    address: transport.address,
    ...catalogueCalls(requests),
    ...endpointCalls(requests),
    ...sessionCalls(requests),
    ...runCalls(requests),
    ...rolloutCalls(requests),
    ...judgementCalls(requests),
    ...learnedCalls(requests),
    ...importCalls(requests),
    ...datasetCalls(requests),
    ...modelCalls(requests),
    ...trainingCalls(requests),
    ...loopCalls(requests),
    ...accessCalls(requests),
  }
}

function judgementCalls({ get, post, transport }: Requests) {
  const runPath = (run: string) => `/v1/runs/${encodeURIComponent(run)}`
  const placePath = (run: string, episode: string, name: string) =>
    `${runPath(run)}/episodes/${encodeURIComponent(episode)}/judgements/${encodeURIComponent(name)}`

  return {
    judgements: (run: string, query: Query = {}) =>
      get<List<EpisodeJudgement>>(`${runPath(run)}/judgements`, query),
    scores: (run: string) => get<List<ScoreSummary>>(`${runPath(run)}/scores`),
    score: (run: string, name: string, query: Query = {}) =>
      get<ScoreReport>(`${runPath(run)}/scores/${encodeURIComponent(name)}`, query),
    recordScores: (run: string, scores: RecordScoresInput) =>
      post<List<EpisodeJudgement>>(`${runPath(run)}/judgements`, scores),
    /** Lets a model grade ended episodes by a rubric. Repeated calls continue it and return its progress. */
    scoreByRubric: (run: string, request: RubricScoringInput) =>
      post<RubricScoring>(`${runPath(run)}/scorings`, request),
    /** A person's judgement of an episode or, with a `node`, of one of its steps. It replaces her earlier one. */
    putJudgement: (
      [run, episode, name]: readonly [run: string, episode: string, name: string],
      request: JudgementRequest,
      place: JudgementPlace = {},
    ) =>
      transport.json<EpisodeJudgement>('PUT', placePath(run, episode, name), {
        body: request,
        query: { ...place },
      }),
    deleteJudgement: (
      [run, episode, name]: readonly [run: string, episode: string, name: string],
      place: JudgementPlace = {},
    ) =>
      transport.json<ReturnType<typeof deletedJudgementSchema.parse>>(
        'DELETE',
        placePath(run, episode, name),
        { query: { ...place } },
      ),
  }
}
