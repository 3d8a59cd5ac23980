import { formatCount, formatNumber } from '../shared/core/client/format-quantity.ts'
import type { CallTokens, EpisodeTokens } from '../shared/core/contracts/token-record.ts'
import { toLine } from './fit-text.ts'
import { formatTable } from './format-table.ts'

const unknown = '?'

export function formatTokens({ calls, unrecorded, episode }: EpisodeTokens, width: number): string[] {
  if (calls.length === 0) {
    return [`${episode} has no token records. Play runs with "record": "tokens" to keep them.`]
  }
  const columns = [
    { header: 'call', flexible: true },
    { header: 'node', align: 'right' as const },
    { header: 'turn' },
    { header: 'prompt', align: 'right' as const },
    { header: 'answers', align: 'right' as const },
    { header: 'logprob', align: 'right' as const },
    { header: 'source' },
    { header: 'version' },
  ]
  const kinds = Map.groupBy(
    calls.flatMap(({ verdict }) => verdict?.kind ?? []),
    (kind) => kind,
  )
  const turns = [...kinds].map(([kind, all]) => `${formatCount(all.length)} ${kind}`)
  return [
    ...formatTable(columns, calls.map(rowOf), width),
    '',
    ...(turns.length > 0 ? [`turns: ${turns.join(', ')}`] : []),
    ...(unrecorded > 0 ? [`${formatCount(unrecorded)} answered calls have no record.`] : []),
    ...calls.flatMap(({ call, warnings }) => warnings.map((warning) => toLine(`${call}: ${warning}`))),
  ]
}

function rowOf({ call, node, verdict, prompt_ids, answers, source, version }: CallTokens): string[] {
  return [
    toLine(call),
    node === null ? '' : `#${node}`,
    verdict === null
      ? ''
      : `${verdict.kind}${verdict.position === undefined ? '' : ` at ${verdict.position}`}`,
    prompt_ids === null ? unknown : formatCount(prompt_ids.length),
    answers.map(({ ids }) => (ids === null ? unknown : formatCount(ids.length))).join(' '),
    answers.map(({ logprobs }) => meanOf(logprobs)).join(' '),
    source,
    toLine(version ?? unknown),
  ]
}

// The mean over the known log-probabilities.
function meanOf(logprobs: readonly (number | null)[] | null): string {
  const known = logprobs?.filter((logprob) => logprob !== null) ?? []
  if (known.length === 0) return unknown
  return formatNumber(known.reduce((sum, logprob) => sum + logprob, 0) / known.length)
}
