import { formatCount, formatNumber, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { LoopDifference, LoopReport, ReportedRound } from '../../../shared/core/contracts/loop-report.ts'
import { Column } from '../../components/column.tsx'
import { Estimate } from '../../components/estimate.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'

export function RoundsSection({ report }: { report: LoopReport }) {
  const { control, metric, rounds } = report
  const refused = [...rounds.map(({ minus_start }) => minus_start), control?.round_minus_control ?? null]
    .map((difference) => difference?.refused ?? null)
    .filter((text) => text !== null)
  return (
    <Section title="Rounds" isFlush>
      {report.simulated && (
        <Notice>Played by the simulated model: these numbers prove plumbing, not quality.</Notice>
      )}
      {[...new Set(refused)].map((text) => (
        <Notice key={text} tone="warn">
          {text}
        </Notice>
      ))}
      <Table label="Success by round">
        <thead>
          <tr>
            <Column>Round</Column>
            <Column isNumber>Success rate</Column>
            <Column isNumber>Minus round 0</Column>
            <Column isNumber hint="Tasks won and lost against round 0">
              Won/lost
            </Column>
            <Column isNumber hint="Episodes that ended with an error">
              Errors
            </Column>
            <Column isNumber>Rows</Column>
            <Column isNumber>Steps</Column>
            <Column isNumber>Loss</Column>
            <Column>Promoted</Column>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round) => (
            <Row key={round.round} round={round} metric={metric} />
          ))}
          {control !== null && (
            <tr>
              <td>control</td>
              <Rate of={control.evaluation} />
              <Difference of={control.minus_start} metric={metric} />
              <td className="number">{noNumber}</td>
              <td className="number">{control.evaluation?.errored ?? noNumber}</td>
              <td className="number">{noNumber}</td>
              <td className="number">{control.steps ?? noNumber}</td>
              <td className="number">{noNumber}</td>
              <td />
            </tr>
          )}
          {control !== null && (
            <tr>
              <td>round 1 minus control</td>
              <td />
              <Difference of={control.round_minus_control} metric={metric} />
              <td colSpan={6} />
            </tr>
          )}
        </tbody>
      </Table>
    </Section>
  )
}

function Row({ round, metric }: { round: ReportedRound; metric: LoopReport['metric'] }) {
  const { evaluation, loss, minus_start, outcome, rows, steps } = round
  const isCompared = minus_start !== null && minus_start.refused === null
  return (
    <tr title={outcome?.reason}>
      <td>{round.round}</td>
      <Rate of={evaluation} />
      <Difference of={minus_start} metric={metric} />
      <td className="number">{isCompared ? `${minus_start.won}/${minus_start.lost}` : noNumber}</td>
      <td className="number">
        {evaluation === null ? noNumber : `${evaluation.errored} of ${evaluation.episodes}`}
      </td>
      <td className="number">{rows === null ? noNumber : formatCount(rows)}</td>
      <td className="number">{steps ?? noNumber}</td>
      <td className="number">{formatNumber(loss, 3)}</td>
      <td>{outcome === null ? noNumber : outcome.promoted ? 'yes' : 'no'}</td>
    </tr>
  )
}

function Rate({ of }: { of: ReportedRound['evaluation'] }) {
  if (of === null) return <td className="number">{noNumber}</td>
  return (
    <td className="number">{of.success_rate === null ? 'refused' : <Estimate of={of.success_rate} />}</td>
  )
}

function Difference({ of, metric }: { of: LoopDifference | null; metric: LoopReport['metric'] }) {
  const estimate = of?.[metric] ?? null
  if (estimate !== null) {
    return (
      <td className="number">
        <Estimate of={estimate} />
      </td>
    )
  }
  return <td className="number">{of?.refused ? 'refused' : noNumber}</td>
}
