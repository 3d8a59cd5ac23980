import type { Judgement } from '../../core/contracts/node-detail.ts'
import { mostTries, readChecks, readOpinion } from '../../play/search/read-answers.ts'
import {
  meanStatus,
  readStatus,
  type Status,
  type StatusScale,
  statusScales,
} from '../../play/search/values/statuses.ts'
import type { CommittedCall } from './read-calls.ts'

export interface JudgedNode {
  node: number
  calls: readonly CommittedCall[]
  checks: readonly CommittedCall[]
  scale: unknown
}

export const checksKey = 'value/checks'

export function readNodeJudgement({ node, calls, checks, scale }: JudgedNode): Judgement | null {
  if (calls.length === 0) return null
  const tries = (name: string) => triesOf(calls, `node/${node}/value/${name}`)
  const support = firstRead(tries('support'), readOpinion)
  const oppose = firstRead(tries('oppose'), readOpinion)
  const single = tries('verdicts')
  const orders = [tries('verdicts/support-first'), tries('verdicts/oppose-first')]
  const isDebate = single.length === 0
  const rounds = isDebate ? orders : [single]
  const [trained] = tries('score').flatMap(({ answers }) => answers)
  const votes = rounds
    .flat()
    .flatMap(({ answers }) => answers.map((answer) => ({ answer, status: readStatus(answer) })))
  const worths = statusScales[toScale(scale, isDebate)]
  return {
    votes: votes.map(({ answer, status }) => ({ answer, value: status === null ? null : worths[status] })),
    value:
      trained === undefined
        ? meanOf(
            rounds,
            votes.flatMap(({ status }) => status ?? []),
            toScale(scale, isDebate),
          )
        : Math.max(-1, Math.min(1, Number(trained))),
    debate: support === null || oppose === null ? null : { support, oppose },
    checks: isDebate ? null : firstRead(triesOf(checks, checksKey), readChecks),
    calls: calls.map((call) => call.show()),
  }
}

function meanOf(
  rounds: readonly CommittedCall[][],
  statuses: readonly Status[],
  scale: StatusScale,
): number | null {
  const isWhole = rounds.every((tries) => {
    const read = tries.flatMap(({ answers }) => answers.flatMap((answer) => readStatus(answer) ?? []))
    return read.length > 0 && (read.length >= (tries[0]?.wanted ?? 1) || tries.length === mostTries)
  })
  return isWhole ? meanStatus(statuses, scale) : null
}

function triesOf(calls: readonly CommittedCall[], key: string): CommittedCall[] {
  return calls.filter((call) => call.key === key || call.key.startsWith(`${key}/again/`))
}

function firstRead(calls: readonly CommittedCall[], read: (answer: string) => string | null): string | null {
  for (const answer of calls.flatMap(({ answers }) => answers)) {
    const found = read(answer)
    if (found !== null) return found
  }
  return null
}

function toScale(scale: unknown, isDebate: boolean): StatusScale {
  if (typeof scale === 'string' && Object.hasOwn(statusScales, scale)) return scale as StatusScale
  return isDebate ? 'debate' : 'rubric'
}
