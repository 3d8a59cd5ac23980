import { Link } from 'react-router'
import { formatCount, noNumber } from '../../../shared/core/client/format-quantity.ts'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { Column } from '../../components/column.tsx'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { Table } from '../../components/table.tsx'
import { datasetAddress } from '../../format/addresses.ts'
import styles from './training-page.module.css'

export function TrainedRowsSection({ training: { request, rows } }: { training: Training }) {
  const { by_dataset, dropped, learned_tokens, longest, tokens, too_long, total, truncated } = rows
  return (
    <Section title="Rows">
      <div className={styles.rows}>
        <Stats>
          <Stat name="Rows" note="of an epoch">
            {total === 0 ? noNumber : formatCount(total)}
          </Stat>
          <Stat name="Tokens" note="of an epoch">
            {count(tokens)}
          </Stat>
          <Stat name="Learned tokens" note="those with a loss">
            {count(learned_tokens)}
          </Stat>
          <Stat name="Longest row" note="tokens">
            {count(longest)}
          </Stat>
          <Stat name="Too long">{count(too_long)}</Stat>
          <Stat name="Truncated">{count(truncated)}</Stat>
          <Stat name="Dropped">{count(dropped)}</Stat>
        </Stats>
        {tokens === null && (
          <p className="soft">The rows are measured before the weights of the base are loaded.</p>
        )}
        <Table label="Datasets">
          <thead>
            <tr>
              <Column>Dataset</Column>
              <Column>Split</Column>
              <Column isNumber hint="Which part of the rows of an epoch it was asked to give">
                Share
              </Column>
              <Column isNumber>Rows</Column>
              <Column isNumber>Used in an epoch</Column>
            </tr>
          </thead>
          <tbody>
            {request.datasets.map(({ dataset, share, split }) => {
              const measured = by_dataset.find((each) => each.dataset === dataset && each.split === split)
              return (
                <tr key={`${dataset} ${split}`}>
                  <td>
                    <Link to={datasetAddress(dataset)} className="identifier">
                      {dataset}
                    </Link>
                  </td>
                  <td>{split}</td>
                  <td className="number">{share ?? 'all rows'}</td>
                  <td className="number">{count(measured?.rows ?? null)}</td>
                  <td className="number">{count(measured?.used ?? null)}</td>
                </tr>
              )
            })}
          </tbody>
        </Table>
      </div>
    </Section>
  )
}

function count(value: number | null): string {
  return value === null ? noNumber : formatCount(value)
}
