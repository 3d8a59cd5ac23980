import type { CallTokens, EpisodeTokens, TokenRecord } from '../../core/contracts/token-record.ts'
import { answerBefore } from '../../play/methods/token-prompts.ts'
import type { SearchTree } from '../../play/search/tree.ts'
import { placeOf } from './call-place.ts'
import type { ReadEpisode } from './episode-cache.ts'
import type { CommittedCall } from './read-calls.ts'
import { type AgentTurn, turnVerdicts } from './turn-verdicts.ts'

export function listTokens(
  { calls, played }: Pick<ReadEpisode, 'calls' | 'played'>,
  records: readonly TokenRecord[],
): Pick<EpisodeTokens, 'calls' | 'unrecorded'> {
  const byCall = new Map(records.map((record) => [record.call, record]))
  const tree = played?.tree ?? null
  const turns = tree === null ? [] : calls.flatMap((call) => turnOf(call, tree, byCall) ?? [])
  const verdicts = turnVerdicts(turns)
  const listed = calls.flatMap((call): CallTokens[] => {
    const record = byCall.get(call.key)
    if (record === undefined) return []
    const node = tree === null ? null : placeOf(call, tree).node
    return [{ ...record, asked: call.asked, node, verdict: verdicts.get(call.key) ?? null }]
  })
  const answered = calls.filter(({ given }) => given !== null)
  return { calls: listed, unrecorded: answered.length - listed.length }
}

function turnOf(
  call: CommittedCall,
  tree: SearchTree,
  records: ReadonlyMap<string, TokenRecord>,
): AgentTurn | null {
  const { node, kind } = placeOf(call, tree)
  if (call.asked !== 'policy' || kind !== 'expansion' || !call.key.startsWith('node/')) return null
  const previous = answerBefore(tree.node(node)) ?? null
  const { messages } = call.show()
  return {
    call: call.key,
    start: node,
    previous,
    messages,
    answers: call.given ?? [],
    record: records.get(call.key) ?? null,
  }
}
