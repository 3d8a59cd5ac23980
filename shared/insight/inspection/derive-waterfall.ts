import { type SpanKind, spanKindSchema, type Waterfall } from '../../core/contracts/waterfall.ts'
import type {
  EffectRecord,
  JournalRecord,
  RequestRecord,
  SegmentRecord,
} from '../../core/engine/journal-record.ts'
import type { SearchTree } from '../../play/search/tree.ts'
import { placeOf } from './call-place.ts'
import { milliseconds, packSpans, type UnpackedSpan } from './pack-spans.ts'

export interface WaterfallSource {
  records: readonly JournalRecord[]
  tree: SearchTree | null
  queuedAt: number | null
}

interface Commit {
  header: SegmentRecord
  effects: EffectRecord[]
}

interface Stretch {
  from: number
  to: number
}

type EffectName = Pick<UnpackedSpan, 'key' | 'node'> & { kind: 'model' | 'environment' | 'program' }
type NameEffect = (effect: EffectRecord) => EffectName

/**
 * Derives the waterfall of an episode from its journal alone. Durations are the writers' own, so the axis never goes
 * back, whatever their clocks said; only the pause between two writers is a difference of clocks. Commits without
 * times give spans with `exact: false`, which cover all the time in which their effects can have run.
 */
export function deriveWaterfall({
  records,
  tree,
  queuedAt,
}: WaterfallSource): Omit<Waterfall, 'object' | 'run' | 'episode'> {
  const nameEffect = namesOf(records, tree)
  const commits = readCommits(records)
  const spans: UnpackedSpan[] = []
  const timed: Stretch[] = []
  let now = 0
  let workers = 0
  let beganAt: number | null = null
  let before: SegmentRecord | null = null
  for (const commit of commits) {
    const { header } = commit
    const length = lengthOf(header, before)
    if (before?.writer !== header.writer) {
      workers += 1
      const pause = pauseBefore(header, length, before, queuedAt)
      beganAt ??= pause.from
      spans.push(...pauseSpans(header, now, pause, before === null))
      now += pause.length
    }
    const stretch = { from: now, to: now + length }
    if (header.timing === undefined) spans.push(...untimedSpans(commit, stretch, before, nameEffect))
    else {
      timed.push(stretch)
      spans.push(...timedSpans(commit, stretch, nameEffect))
    }
    now = stretch.to
    before = header
  }
  const all = [...spans, ...programSpans(timed, spans)].filter(isShown)
  return {
    began_at: beganAt === null ? null : new Date(Math.round(beganAt)).toISOString(),
    seconds: milliseconds(now),
    working_seconds: before?.elapsed ?? 0,
    workers,
    commits: commits.length,
    untimed_commits: commits.length - timed.length,
    ...packSpans(all, tree),
    sums: sumKinds(all),
  }
}

function readCommits(records: readonly JournalRecord[]): Commit[] {
  const commits: Commit[] = []
  for (const record of records) {
    if ('segment' in record) commits.push({ header: record, effects: [] })
    else if ('effect' in record) commits.at(-1)?.effects.push(record)
  }
  return commits
}

function lengthOf(header: SegmentRecord, before: SegmentRecord | null): number {
  if (header.timing !== undefined) return header.timing.passed / 1000
  const worked = Math.max(0, header.elapsed - (before?.elapsed ?? 0))
  if (before?.writer !== header.writer) return worked
  return Math.max(worked, (Date.parse(header.at) - Date.parse(before.at)) / 1000)
}

function pauseBefore(
  { at, timing }: SegmentRecord,
  length: number,
  before: SegmentRecord | null,
  queuedAt: number | null,
): { from: number; length: number; setup: number } {
  const setup = timing?.setup ?? 0
  const came = Date.parse(at) - length * 1000
  const since = before === null ? queuedAt : Date.parse(before.at)
  const from = Math.min(since ?? came, came - setup)
  return { from, length: (came - from) / 1000, setup: setup / 1000 }
}

function pauseSpans(
  { writer, timing }: SegmentRecord,
  from: number,
  { length, setup }: { length: number; setup: number },
  isFirst: boolean,
): UnpackedSpan[] {
  const claimed = from + length - setup
  // A writer's name ends with the number of the episode's start. Earlier starts left nothing in this journal.
  const isKnown = timing?.setup !== undefined && (!isFirst || writer.endsWith('/1'))
  return [
    { ...unnamed, kind: 'queue', from, to: claimed, exact: isKnown },
    { ...unnamed, kind: 'setup', from: claimed, to: from + length, exact: true },
  ]
}

function untimedSpans(
  { header, effects }: Commit,
  stretch: Stretch,
  before: SegmentRecord | null,
  nameEffect: NameEffect,
): UnpackedSpan[] {
  const worked = header.elapsed - (before?.elapsed ?? 0)
  const waited = before?.writer === header.writer ? stretch.to - stretch.from - worked : 0
  return [
    ...(waited > 0.001
      ? [{ ...unnamed, kind: 'wait' as const, from: stretch.from, to: stretch.from + waited, exact: false }]
      : []),
    ...effects.map((effect) => ({
      ...unnamed,
      ...nameEffect(effect),
      ...stretch,
      exact: false,
      unit: effect.effect,
    })),
    ...(effects.length === 0 ? [{ ...unnamed, kind: 'program' as const, ...stretch, exact: false }] : []),
  ]
}

// A call waits first, and a step waits for its session first: the bar of an effect begins with its wait.
function timedSpans({ header, effects }: Commit, stretch: Stretch, nameEffect: NameEffect): UnpackedSpan[] {
  const { commit = 0, effects: times = [] } = header.timing ?? {}
  const ofEffects = effects.flatMap((effect, place): UnpackedSpan[] => {
    const [began, ended, waited, held] = times[place] ?? [0, 0, 0, 0]
    const named = { ...nameEffect(effect), exact: true, unit: effect.effect }
    const to = Math.max(0, stretch.to - ended / 1000)
    const from = Math.min(to, Math.max(0, stretch.to - began / 1000))
    const begun = Math.min(to, from + (waited + held) / 1000)
    return [
      { ...named, kind: named.kind === 'model' ? 'wait' : 'setup', from, to: begun },
      { ...named, from: begun, to },
    ]
  })
  const written = Math.min(stretch.to, stretch.from + commit / 1000)
  return [{ ...unnamed, kind: 'commit', from: stretch.from, to: written, exact: true }, ...ofEffects]
}

function programSpans(timed: readonly Stretch[], spans: readonly UnpackedSpan[]): UnpackedSpan[] {
  const busy = spans.filter(({ exact }) => exact).toSorted((left, right) => left.from - right.from)
  const found: UnpackedSpan[] = []
  let next = 0
  let covered = 0
  for (const { from, to } of timed) {
    let at = from
    for (;;) {
      const span = busy[next]
      if (span === undefined || span.from >= to) break
      if (span.from > Math.max(at, covered)) {
        found.push({ ...unnamed, kind: 'program', from: Math.max(at, covered), to: span.from, exact: true })
      }
      covered = Math.max(covered, span.to)
      at = Math.max(at, Math.min(to, covered))
      next += 1
    }
    at = Math.max(at, covered)
    if (at < to) found.push({ ...unnamed, kind: 'program', from: at, to, exact: true })
  }
  return found
}

function isShown({ from, to, kind, unit }: UnpackedSpan): boolean {
  return to > from || (unit !== null && kind !== 'wait' && kind !== 'setup')
}

function sumKinds(spans: readonly UnpackedSpan[]): Waterfall['sums'] {
  const sum = (kind: SpanKind) =>
    spans.reduce((total, span) => (span.kind === kind && span.exact ? total + span.to - span.from : total), 0)
  const sums = spanKindSchema.options.map((kind) => [kind, milliseconds(sum(kind))])
  return Object.fromEntries(sums) as Waterfall['sums']
}

const unnamed = { key: null, node: null, unit: null }

function namesOf(records: readonly JournalRecord[], tree: SearchTree | null): NameEffect {
  const settings = new Map<string, RequestRecord['value']['settings']>()
  for (const record of records)
    if ('request' in record && 'value' in record) settings.set(record.request, record.value.settings)
  const ledTo = new Map(tree?.nodes.map(({ effect, index }) => [effect, index]))
  return ({ effect: key, request, usage }) => {
    const asked = settings.get(request)
    const fields = typeof asked === 'object' && asked !== null && !Array.isArray(asked) ? asked : {}
    const isModel = 'role' in fields || usage !== undefined
    const isStep = !isModel && ofSession.test(key) && ['task', 'from', 'at'].some((name) => name in fields)
    const reached = ledTo.get(key.replace(ofSession, ''))
    const place =
      tree === null ? null : placeOf({ key, asked: isModel ? String(fields.role) : '' }, tree).node
    const node = isStep ? (reached ?? place) : place
    return { key, node, kind: isModel ? 'model' : isStep ? 'environment' : 'program' }
  }
}

const ofSession = /\/(?:open|step|actions)$/
