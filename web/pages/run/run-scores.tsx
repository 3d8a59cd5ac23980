import { Link } from 'react-router'
import { formatCount } from '../../../shared/core/client/format-quantity.ts'
import type { ScoreFigures } from '../../../shared/core/contracts/report.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { Column } from '../../components/column.tsx'
import { Estimate } from '../../components/estimate.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { labelAddress } from '../../format/addresses.ts'

export function RunScores({ run, scores = [] }: { run: Run; scores: readonly ScoreFigures[] | undefined }) {
  if (scores.length === 0) return null
  return (
    <Section title="Scores" isFlush aside={<Link to="/guide/judgements">What judges, and how</Link>}>
      <Table label="Scores beside the reward">
        <thead>
          <tr>
            <Column>Score</Column>
            <Column>By</Column>
            <Column isNumber>Mean</Column>
            <Column isNumber>Scored</Column>
            <Column isNumber>Not judged</Column>
            <Column isNumber>Failed</Column>
            <Column isNumber>Outdated</Column>
          </tr>
        </thead>
        <tbody>
          {scores.map(({ errors, kind, missing, name, outdated, scored, value }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{kind === 'person' ? <Link to={labelAddress(run.id)}>people</Link> : 'a scorer'}</td>
              <td className="number">
                <Estimate of={value} />
              </td>
              <td className="number">{formatCount(scored)}</td>
              <td className="number">{formatCount(missing)}</td>
              <td className="number">{formatCount(errors)}</td>
              <td className="number">{formatCount(outdated)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  )
}
