import type { Tree } from '../../shared/core/contracts/tree.ts'
import type {
  SpanKind,
  Waterfall,
  WaterfallLane,
  WaterfallSpan,
} from '../../shared/core/contracts/waterfall.ts'
import { formatSeconds } from '../format/format-seconds.ts'
import { shortText } from '../format/short-text.ts'

export const kindWords: Record<SpanKind, string> = {
  queue: 'queue',
  setup: 'set-up',
  model: 'model',
  environment: 'environment',
  wait: 'waiting for the model',
  program: 'program',
  commit: 'commit',
}

export const spanKinds = Object.keys(kindWords) as SpanKind[]

export function laneName(
  { kind, branch }: Pick<WaterfallLane, 'kind' | 'branch'>,
  { nodes }: Pick<Tree, 'nodes'>,
): string {
  if (kind !== null) return kindWords[kind]
  if (branch === null) return 'other branches'
  if (branch === 0) return 'before the fork'
  return `${branch}: ${shortText(nodes[branch]?.action ?? '', 60)}`
}

export function spanLength({ from, to, exact }: Pick<WaterfallSpan, 'from' | 'to' | 'exact'>): string {
  return `${exact ? '' : 'at most '}${formatSeconds(to - from)}`
}

export function describeSpan({ spans }: Pick<Waterfall, 'spans'>, at: number): string {
  const span = spans[at]
  if (span === undefined) return ''
  const { kind, key, node, from, exact } = span
  return [
    key === null ? kindWords[kind] : `${kindWords[kind]}, ${shortText(key, 120)}`,
    spanLength(span),
    `from ${formatSeconds(from)}`,
    ...(node === null ? [] : [`node ${node}`]),
    ...(exact ? [] : ['its own times are not in the journal']),
  ].join(', ')
}
