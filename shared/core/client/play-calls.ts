import type { CallQuestionInput, QuestionEstimate } from '../contracts/call-question.ts'
import type { EndpointInfo, EnvironmentInfo, MethodInfo, TaskInfo } from '../contracts/catalogue.ts'
import type { BudgetKind, Curves } from '../contracts/curve.ts'
import type {
  EndpointAddition,
  EndpointChange,
  EndpointDetail,
  EndpointTest,
  EndpointTestRequest,
} from '../contracts/endpoint.ts'
import type { Episode } from '../contracts/episode.ts'
import type { EpisodeCalls } from '../contracts/episode-calls.ts'
import type { RunEstimate } from '../contracts/estimate.ts'
import type { Growth } from '../contracts/growth.ts'
import type { JournalDigest } from '../contracts/journal-digest.ts'
import type { Json, JsonObject } from '../contracts/json.ts'
import type { ApiKey, CreatedKey, KeyRequest } from '../contracts/key.ts'
import type { Deleted, Experiment, LabelChange } from '../contracts/labels.ts'
import type { Leaderboard, LeaderboardRequest } from '../contracts/leaderboard.ts'
import type { Library, LibraryAction } from '../contracts/library.ts'
import type { List } from '../contracts/list.ts'
import type { Memory, MemoryNote, NoteUses } from '../contracts/memory.ts'
import type { NodeDetail } from '../contracts/node-detail.ts'
import type { PlayRequestInput, PlaySave, PlaySession, PlayTurn } from '../contracts/play-session.ts'
import type { PresetInfo } from '../contracts/preset.ts'
import type { Comparison, IntervalKind, Report, SuccessRates } from '../contracts/report.ts'
import type { GroupRows, PolicyChangeInput, RolloutRequestInput, RolloutRun } from '../contracts/rollout.ts'
import type { EpisodeCredit, RolloutFigures } from '../contracts/rollout-figures.ts'
import type { ExtendRequest, ResumeRequest, Run, RunRequestInput } from '../contracts/run.ts'
import type { TenantLimits, TenantLimitsRequest } from '../contracts/tenant-limits.ts'
import type { EpisodeTokens } from '../contracts/token-record.ts'
import type { Trajectory } from '../contracts/trajectory.ts'
import type { TrajectoryImport } from '../contracts/trajectory-import.ts'
import type { TranscriptHits } from '../contracts/transcript-search.ts'
import type { Tree } from '../contracts/tree.ts'
import type { Waterfall } from '../contracts/waterfall.ts'
import { type FollowOptions, followEvents, readRollout, readRun } from './follow-events.ts'
import type { Requests } from './requests.ts'
import type { Query } from './transport.ts'

export type RunAction = 'cancel' | 'pause' | 'resume' | 'extend' | 'retry'

export function catalogueCalls({ get }: Requests) {
  return {
    /** @param deep true to read and write the storage before answering */
    health: ({ deep = false } = {}) => get<JsonObject>('/health', deep ? { deep: 'true' } : {}),
    environments: () => get<List<EnvironmentInfo>>('/v1/environments', { limit: 1000 }),
    environment: (id: string, query: Query = {}) =>
      get<EnvironmentInfo>(`/v1/environments/${encodeURIComponent(id)}`, query),
    tasks: (id: string, query: Query) =>
      get<List<TaskInfo>>(`/v1/environments/${encodeURIComponent(id)}/tasks`, query),
    methods: () => get<List<MethodInfo>>('/v1/methods', { limit: 1000 }),
    method: (id: string) => get<MethodInfo>(`/v1/methods/${encodeURIComponent(id)}`),
    presets: () => get<List<PresetInfo>>('/v1/presets', { limit: 1000 }),
    preset: (id: string) => get<PresetInfo>(`/v1/presets/${encodeURIComponent(id)}`),
    models: () => get<List<EndpointInfo>>('/v1/models', { limit: 1000 }),
  }
}

export function endpointCalls({ get, post, transport }: Requests) {
  const endpointPath = (name: string) => `/v1/endpoints/${encodeURIComponent(name)}`

  return {
    endpoints: () => get<List<EndpointDetail>>('/v1/endpoints', { limit: 1000 }),
    endpoint: (name: string) => get<EndpointDetail>(endpointPath(name)),
    addEndpoint: (request: EndpointAddition | Json) => post<EndpointDetail>('/v1/endpoints', request),
    changeEndpoint: (name: string, change: EndpointChange | Json) =>
      transport.json<EndpointDetail>('PUT', endpointPath(name), { body: change }),
    removeEndpoint: async (name: string): Promise<void> => {
      await transport.send('DELETE', endpointPath(name))
    },
    testEndpoint: (name: string, request: EndpointTestRequest = {}) =>
      post<EndpointTest>(`${endpointPath(name)}/test`, request),
  }
}

export function sessionCalls({ get, post, remove }: Requests) {
  const sessionPath = (session: string) => `/v1/sessions/${encodeURIComponent(session)}`

  return {
    startSession: (request: PlayRequestInput) => post<PlaySession>('/v1/sessions', request),
    session: (session: string) => get<PlaySession>(sessionPath(session)),
    takeTurn: (session: string, turn: PlayTurn) => post<PlaySession>(`${sessionPath(session)}/turns`, turn),
    saveSession: (session: string, request: PlaySave = {}) =>
      post<TrajectoryImport>(`${sessionPath(session)}/save`, request),
    endSession: (session: string) => remove<Deleted>(sessionPath(session)),
  }
}

export function runCalls({ get, patch, post, postForText, remove, transport }: Requests) {
  const runPath = (run: string) => `/v1/runs/${encodeURIComponent(run)}`
  const episodePath = (run: string, episode: string) =>
    `${runPath(run)}/episodes/${encodeURIComponent(episode)}`

  return {
    createRun: (request: RunRequestInput | Json, idempotencyKey: string) =>
      post<Run>('/v1/runs', request, { 'Idempotency-Key': idempotencyKey }),
    estimateRun: (request: RunRequestInput | Json, signal?: AbortSignal) =>
      transport.json<RunEstimate>('POST', '/v1/runs', {
        body: request,
        query: { dry_run: 'true' },
        ...(signal && { signal }),
      }),
    run: (run: string) => get<Run>(runPath(run)),
    labelRun: (run: string, change: LabelChange) => patch<Run>(runPath(run), change),
    deleteRun: (run: string) => remove<Deleted>(runPath(run)),
    experiments: (query: Query = {}) => get<List<Experiment>>('/v1/experiments', query),
    runs: (query: Query) => get<List<Run>>('/v1/runs', query),
    changeRun: (run: string, change: RunAction, body: ResumeRequest | ExtendRequest = {}) =>
      post<Run>(`${runPath(run)}/${change}`, body),
    episodes: (run: string, query: Query) => get<List<Episode>>(`${runPath(run)}/episodes`, query),
    episode: (run: string, episode: string) => get<Episode>(episodePath(run, episode)),
    tree: (run: string, episode: string) => get<Tree>(`${episodePath(run, episode)}/tree`),
    trajectory: (run: string, episode: string) => get<Trajectory>(`${episodePath(run, episode)}/trajectory`),
    growth: (run: string, episode: string) => get<Growth>(`${episodePath(run, episode)}/growth`),
    waterfall: (run: string, episode: string) => get<Waterfall>(`${episodePath(run, episode)}/waterfall`),
    calls: (run: string, episode: string) => get<EpisodeCalls>(`${episodePath(run, episode)}/calls`),
    priceQuestion: (run: string, episode: string, question: CallQuestionInput) =>
      transport.json<QuestionEstimate>('POST', `${episodePath(run, episode)}/questions`, {
        body: question,
        query: { dry_run: 'true' },
      }),
    askQuestion: (run: string, episode: string, question: CallQuestionInput) =>
      post<Run>(`${episodePath(run, episode)}/questions`, question),
    tokens: (run: string, episode: string) => get<EpisodeTokens>(`${episodePath(run, episode)}/tokens`),
    credit: (run: string, episode: string) => get<EpisodeCredit>(`${episodePath(run, episode)}/credit`),
    journalDigest: (run: string, episode: string) =>
      get<JournalDigest>(`${episodePath(run, episode)}/journal-digest`),
    node: (run: string, episode: string, index: number) =>
      get<NodeDetail>(`${episodePath(run, episode)}/nodes/${index}`),
    searchTranscripts: (query: Query) => get<TranscriptHits>('/v1/transcripts', query),
    report: (run: string, query: Query = {}) => get<Report>(`${runPath(run)}/report`, query),
    compare: (runs: string[], options: { interval?: IntervalKind } = {}) =>
      post<Comparison>('/v1/reports/compare', { runs, ...options }),
    leaderboard: (selection: LeaderboardRequest) => post<Leaderboard>('/v1/reports/leaderboard', selection),
    success: (runs: readonly string[]) => get<SuccessRates>('/v1/reports/success', { runs: runs.join(',') }),
    curves: (runs: string[], over: BudgetKind) => post<Curves>('/v1/reports/curves', { runs, over }),
    compareAs: (format: 'csv' | 'md', runs: string[], options: { interval?: IntervalKind } = {}) =>
      postForText('/v1/reports/compare', format, { runs, ...options }),
    curvesAs: (format: 'csv' | 'md', runs: string[], over: BudgetKind) =>
      postForText('/v1/reports/curves', format, { runs, over }),
    events: (run: string, options: FollowOptions) =>
      followEvents(transport, `${runPath(run)}/events`, readRun, options),
  }
}

export function rolloutCalls({ get, post, transport }: Requests) {
  const rolloutPath = (rollout: string) => `/v1/rollouts/${encodeURIComponent(rollout)}`

  return {
    createRollout: (request: RolloutRequestInput | Json, idempotencyKey: string) =>
      post<RolloutRun>('/v1/rollouts', request, { 'Idempotency-Key': idempotencyKey }),
    rollout: (rollout: string) => get<RolloutRun>(rolloutPath(rollout)),
    rollouts: (query: Query) => get<List<RolloutRun>>('/v1/rollouts', query),
    cancelRollout: (rollout: string) => post<RolloutRun>(`${rolloutPath(rollout)}/cancel`, {}),
    changeRolloutPolicy: (rollout: string, change: PolicyChangeInput) =>
      post<RolloutRun>(`${rolloutPath(rollout)}/policy`, change),
    rolloutFigures: (rollout: string, query: Query = {}) =>
      get<RolloutFigures>(`${rolloutPath(rollout)}/figures`, query),
    rolloutGroup: (rollout: string, group: number, query: Query = {}) =>
      get<GroupRows>(`${rolloutPath(rollout)}/groups/${group}`, query),
    /** Finished groups, each once; a caller that stores `sequence` with its work goes on behind it. */
    rolloutEvents: (rollout: string, options: FollowOptions) =>
      followEvents(transport, `${rolloutPath(rollout)}/events`, readRollout, options),
  }
}

export function learnedCalls({ get }: Requests) {
  const memoryPath = (memory: string) => `/v1/memories/${encodeURIComponent(memory)}`
  const libraryPath = (library: string) => `/v1/libraries/${encodeURIComponent(library)}`

  return {
    memories: (query: Query) => get<List<Memory>>('/v1/memories', query),
    memory: (memory: string) => get<Memory>(memoryPath(memory)),
    notes: (memory: string, query: Query) => get<List<MemoryNote>>(`${memoryPath(memory)}/notes`, query),
    noteUses: (memory: string, query: Query = {}) => get<NoteUses>(`${memoryPath(memory)}/uses`, query),
    libraries: (query: Query) => get<List<Library>>('/v1/libraries', query),
    library: (library: string) => get<Library>(libraryPath(library)),
    actions: (library: string, query: Query) =>
      get<List<LibraryAction>>(`${libraryPath(library)}/actions`, query),
  }
}

export function accessCalls({ get, post, transport }: Requests) {
  return {
    createKey: (request: KeyRequest) => post<CreatedKey>('/v1/keys', request),
    keys: (query: Query) => get<List<ApiKey>>('/v1/keys', query),
    revokeKey: async (key: string): Promise<void> => {
      await transport.send('DELETE', `/v1/keys/${encodeURIComponent(key)}`)
    },
    limits: () => get<TenantLimits>('/v1/limits'),
    setLimits: (request: TenantLimitsRequest) =>
      transport.json<TenantLimits>('PUT', '/v1/limits', { body: request }),
  }
}
