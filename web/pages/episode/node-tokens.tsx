import { useQuery } from '@tanstack/react-query'
import { formatCount, formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { AnswerTokens, CallTokens, TurnVerdict } from '../../../shared/core/contracts/token-record.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Table } from '../../components/table.tsx'
import { countOf } from '../../format/count-of.ts'
import { shortText } from '../../format/short-text.ts'
import { api } from '../../service/api.ts'
import { runQuery } from '../../service/run-query.ts'
import type { NodePlace } from './node-panel.tsx'
import { PanelPart } from './panel-part.tsx'

const most = 400

export function NodeTokens({ place }: { place: NodePlace }) {
  const run = useQuery(runQuery(place.run))
  if (run.data?.request.record !== 'tokens') return null
  return (
    <PanelPart title="Tokens">
      <RecordedCalls place={place} />
    </PanelPart>
  )
}

function RecordedCalls({ place: { run, episode, node } }: { place: NodePlace }) {
  const tokens = useQuery({
    queryKey: ['tokens', run, episode],
    queryFn: () => api.tokens(run, episode),
    staleTime: 10_000,
  })
  return (
    <Loaded what="the tokens" query={tokens}>
      {({ calls }) => {
        const here = calls.filter((call) => call.node === node)
        return here.length === 0 ? (
          <EmptyState title="No tokens here">No call from this node has a record.</EmptyState>
        ) : (
          here.map((call) => <RecordedCall key={call.call} call={call} />)
        )
      }}
    </Loaded>
  )
}

function RecordedCall({
  call: { call, answers, prompt_ids, source, verdict, warnings },
}: {
  call: CallTokens
}) {
  const prompt = prompt_ids === null ? 'prompt unknown' : countOf(prompt_ids.length, 'prompt token')
  return (
    <>
      <p>
        <code>{shortText(call, 120)}</code> · {prompt} · {source}
        {verdict !== null && ` · ${sayVerdict(verdict)}`}
      </p>
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {answers.map((answer, at) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: answers have no other name, and none is inserted
        return <RecordedAnswer key={at} answer={answer} title={`Answer ${at + 1}`} />
      })}
    </>
  )
}

function RecordedAnswer({
  answer: { ids, texts, logprobs },
  title,
}: {
  answer: AnswerTokens
  title: string
}) {
  const tokens = ids?.map(String) ?? texts
  if (tokens === undefined) return <p>{title}: its tokens are unknown.</p>
  return (
    <PanelPart title={title} note={countOf(tokens.length, 'token')} level={4}>
      <Table label={`Tokens of ${title.toLowerCase()}`}>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">{ids === null ? 'Token' : 'Id'}</th>
            <th scope="col">Log-probability</th>
          </tr>
        </thead>
        <tbody>
          {tokens.slice(0, most).map((token, at) => {
            const logprob = logprobs?.[at] ?? null
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a token's place is its name
              <tr key={at}>
                <td>{formatCount(at)}</td>
                <td>
                  <bdi>{shortText(token, 40)}</bdi>
                </td>
                <td>{logprob === null ? 'unknown' : formatNumber(logprob)}</td>
              </tr>
            )
          })}
        </tbody>
      </Table>
      {tokens.length > most && <p>The first {formatCount(most)} are shown.</p>}
    </PanelPart>
  )
}

function sayVerdict({ kind, position }: TurnVerdict): string {
  return position === undefined ? kind : `${kind} at ${formatCount(position)}`
}
