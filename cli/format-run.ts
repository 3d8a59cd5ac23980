import { formatFaults } from '../shared/core/client/format-faults.ts'
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatNumber,
  noNumber,
} from '../shared/core/client/format-quantity.ts'
import { episodeEndWord, episodeStatusWord, workWord } from '../shared/core/client/status-words.ts'
import { describeBounds } from '../shared/core/contracts/bounded-usage.ts'
import { type Episode, episodeEndSchema } from '../shared/core/contracts/episode.ts'
import type { EntryLabels } from '../shared/core/contracts/labels.ts'
import { provenanceNotice } from '../shared/core/contracts/provenance.ts'
import { describeHorizon } from '../shared/core/contracts/resolved-defaults.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import { fold, toLine, wrap } from './fit-text.ts'
import { answerWarningLines } from './format-report.ts'
import { formatTable } from './format-table.ts'
import { countEnded } from './progress-line.ts'

export function formatRuns(runs: Run[], width: number): string[] {
  if (runs.length === 0) return ['No runs yet. Start one: espalier run --help']
  const columns = [
    { header: 'run' },
    { header: 'status' },
    { header: 'name', flexible: true },
    { header: 'environment' },
    { header: 'data' },
    { header: 'method' },
    { header: 'model' },
    { header: 'ended', align: 'right' as const },
    { header: 'solved', align: 'right' as const },
    { header: 'cost', align: 'right' as const },
  ]
  return formatTable(
    columns,
    runs.map((run) => [
      run.id,
      workWord(run.status),
      run.request.name ?? noNumber,
      run.request.environment,
      run.provenance.origin,
      run.request.method.id,
      run.request.model.id,
      `${countEnded(run.episodes)}/${run.episodes.total}`,
      String(run.episodes.succeeded),
      formatMoney(run.usage.cost),
    ]),
    width,
  )
}

const indent = ' '.repeat(13)

export function formatRun(run: Run, width: number): string[] {
  const { request, episodes, usage } = run
  const { id, ...parameters } = request.method
  const limits = Object.entries(request.limits).map(([name, value]) => `${name} ${value}`)
  const counts: [count: number, word: string][] = [
    ...episodeEndSchema.options.map((end): [number, string] => [episodes[end], episodeStatusWord(end)]),
    [episodes.active, 'active'],
    [episodes.waiting, 'waiting'],
  ]
  const ends = counts.filter(([count]) => count > 0).map((part) => part.join(' '))
  return [
    `run          ${run.id}${request.name ? `  (${request.name})` : ''}`,
    ...formatLabels({ ...request, archived_at: run.archived_at }, width),
    `status       ${workWord(run.status)}${run.status_reason ? `: ${run.status_reason}` : ''}`,
    ...(run.last_problem
      ? wrap(toLine(run.last_problem.message), width - indent.length).map(
          (line, at) => `${at === 0 ? 'problem      ' : indent}${line}`,
        )
      : []),
    `environment  ${request.environment}, tasks ${JSON.stringify(request.tasks)}`,
    `data         ${request.data ?? 'builtin'}, ${run.provenance.origin}, hosting ${request.hosting}`,
    ...wrap(provenanceNotice(run.provenance), width - indent.length).map((line) => `${indent}${line}`),
    ...formatPresetOf(run, width),
    `method       ${id} ${JSON.stringify(parameters)}`,
    ...formatResolved(run),
    ...formatPassport(run),
    `model        ${request.model.id} at ${request.model.endpoint}, temperature ${request.model.temperature}`,
    ...formatChoices(run),
    `episodes     ${countEnded(episodes)}/${episodes.total} ended${ends.length > 0 ? `: ${ends.join(', ')}` : ''}`,
    ...(run.learning_episodes > 0
      ? [`learning     ${run.learning_episodes} of them learn for the others`]
      : []),
    ...leftBy(run).map(
      ({ id: left, setting }) => `leaves       ${left}; in a later run: --set ${setting}=${left}`,
    ),
    ...(run.live ? ['live         reads what others write meanwhile: not reproducible'] : []),
    `used         ${formatCount(usage.model_calls)} calls, ${formatCount(usage.input_tokens)} tokens in, ${formatCount(usage.output_tokens)} out${usage.reasoning_tokens === undefined ? '' : ` (${formatCount(usage.reasoning_tokens)} reasoning)`}, ${formatMoney(usage.cost)}${run.lost_calls > 0 ? `, of which ${run.lost_calls} calls were lost` : ''}`,
    ...(run.bounds === undefined ? [] : [`${indent}${describeBounds(run.bounds)}`]),
    ...(run.answers === undefined
      ? []
      : [`answers      ${formatCount(run.answers.total)}${faultsOf(run.answers)}`]),
    `limits       ${limits.length > 0 ? limits.join(', ') : 'none'}`,
    `running      ${formatDuration(run.running_seconds)} since ${run.started_at ?? run.created_at}`,
  ]
    .flatMap((line) => fold(line, width))
    .concat(answerWarningLines([...run.answer_warnings, ...(run.warnings ?? [])], width))
}

function faultsOf(answers: NonNullable<Run['answers']>): string {
  const faults = formatFaults(answers)
  return faults === '' ? '' : `, of which ${faults}`
}

function formatResolved({ resolved }: Pick<Run, 'resolved'>): string[] {
  if (resolved === undefined) return []
  const settled = Object.entries(resolved.parameters).map(([name, value]) => `${name} ${value}`)
  return [
    `horizon      ${describeHorizon(resolved.horizon)}`,
    ...(settled.length > 0 ? [`by default   ${settled.join(', ')}`] : []),
    ...(resolved.module ? [`method file  ${resolved.module.file}, version ${resolved.module.digest}`] : []),
    ...(resolved.warnings ?? []).map((warning) => `warning      ${warning}`),
  ]
}

function formatPassport({ passport }: Pick<Run, 'passport'>): string[] {
  if (passport === undefined) return []
  const { scorer, tasks } = passport.terms
  const known = [...(tasks ? [`${tasks}`] : []), ...(scorer ? [`scorer version ${scorer}`] : [])]
  return [`passport     ${[passport.digest, ...known].join('; ')}`]
}

function formatPresetOf({ request: { preset } }: Run, width: number): string[] {
  if (typeof preset !== 'object') return []
  const deviations = preset.deviations.flatMap((text) => wrap(`- ${text}`, width - indent.length))
  return [
    `preset       ${preset.id}, with ${preset.deviations.length} deviations`,
    ...deviations.map((line) => `${indent}${line}`),
  ]
}

export function formatChoices({ request: { model, roles, prompts } }: Pick<Run, 'request'>): string[] {
  const named = Object.entries(roles).map(([role, { endpoint, id, ...settings }]) => {
    const own = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
    const isOther = endpoint !== undefined || id !== undefined
    const words = isOther ? [`${id ?? model.id} at ${endpoint ?? model.endpoint}`, ...own] : own
    return `${role} (${words.join(', ') || 'as the model'})`
  })
  const replaced = Object.keys(prompts)
  return [
    ...(named.length > 0 ? [`roles        ${named.join(', ')}`] : []),
    ...(replaced.length > 0 ? [`prompts      its own: ${replaced.join(', ')}`] : []),
  ]
}

export function leftBy({ memory, library }: Pick<Run, 'memory' | 'library'>) {
  return [
    { id: memory, command: 'memories', setting: 'memory_from' },
    { id: library, command: 'libraries', setting: 'library' },
  ].flatMap(({ id, ...words }) => (id === null ? [] : [{ id, ...words }]))
}

export function formatEpisodes(episodes: Episode[], width: number): string[] {
  const right = 'right' as const
  const columns = [
    { header: 'episode' },
    { header: 'task', flexible: true },
    { header: 'status' },
    { header: 'reward', align: right },
    { header: 'steps', align: right },
    { header: 'nodes', align: right },
    { header: 'tokens', align: right },
    { header: 'cost', align: right },
  ]
  return formatTable(
    columns,
    episodes.map(({ id, task, status, purpose, result }) =>
      result === null
        ? [id, task, episodeStatusWord(status, purpose), noNumber, noNumber, noNumber, noNumber, noNumber]
        : [
            id,
            task,
            episodeEndWord({ status, limit: result.limit }, purpose),
            formatNumber(result.reward),
            String(result.steps),
            String(result.nodes),
            formatCount(result.usage.input_tokens + result.usage.output_tokens),
            formatMoney(result.usage.cost),
          ],
    ),
    width,
  )
}

const purposes: Readonly<Record<Episode['purpose'], string>> = {
  play: '',
  learn: ': it learns for the others, and has no reward',
  annotate: ': it asks a model about that, for a dataset, and has no reward',
}

export function formatEpisode(episode: Episode): string[] {
  const { result } = episode
  const lines = [
    `episode      ${episode.id} of ${episode.run}, epoch ${episode.epoch}`,
    `task         ${episode.task}${purposes[episode.purpose]}`,
    `status       ${episodeStatusWord(episode.status, episode.purpose)}, taken up ${episode.starts} times`,
  ]
  if (result === null) return lines
  lines.push(
    `reward       ${formatNumber(result.reward)}`,
    `work         ${result.steps} steps, ${result.nodes} nodes, path of ${result.path_length} actions (${result.primitive_steps} steps), ${formatDuration(result.working_seconds)}`,
    `used         ${formatCount(result.usage.model_calls)} calls, ${formatCount(result.usage.input_tokens + result.usage.output_tokens)} tokens, ${formatMoney(result.usage.cost)}`,
  )
  if (result.limit !== null) lines.push(`limit        ${result.limit}`)
  if (result.error !== null) {
    const place = result.error.effect === null ? '' : ` (at ${result.error.effect})`
    lines.push(`error        ${result.error.name}: ${result.error.message}${place}`)
  }
  return lines
}

export function formatLabels(
  { archived_at, experiment, note, tags = [] }: EntryLabels,
  width: number,
): string[] {
  const lines = wrap(note ?? '', width - 13)
  return [
    ...(experiment === undefined ? [] : [`experiment   ${experiment}`]),
    ...(tags.length === 0 ? [] : [`tags         ${tags.join(', ')}`]),
    ...(note === undefined ? [] : lines.map((line, at) => (at === 0 ? 'note' : '').padEnd(13) + line)),
    ...(archived_at === undefined ? [] : [`archived     since ${archived_at}`]),
  ]
}
