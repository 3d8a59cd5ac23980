import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { Column } from '../../components/column.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import styles from './compare.module.css'
import { OutcomeRow } from './outcome-row.tsx'
import { namesOf } from './run-names.ts'

export function OutcomeSection({ comparison }: { comparison: Comparison }) {
  const names = namesOf(comparison)
  const named = (run: string) => ({ run, name: names.get(run) ?? run })
  const baseline = named(comparison.runs[0]?.run ?? '')
  return (
    <Section title="Tasks won and lost" aside="by success, then by reward" isFlush>
      <Table label="Tasks won and lost against the baseline">
        <thead>
          <tr>
            <Column>Run</Column>
            <Column isNumber>Won</Column>
            <Column isNumber>Tied</Column>
            <Column isNumber>Lost</Column>
            <td aria-hidden="true" className={styles.outcomeWide}>
              <span className={styles.outcomeKey} data-outcome="won" /> won
              <span className={styles.outcomeKey} data-outcome="tied" /> tied
              <span className={styles.outcomeKey} data-outcome="lost" /> lost
            </td>
            <Column isNumber hint="Tasks with a higher share of successes than the baseline’s">
              Success higher
            </Column>
            <Column isNumber hint="Tasks with a lower share of successes than the baseline’s">
              Lower
            </Column>
            <Column
              isNumber
              hint="Exact two-sided sign test over the tasks whose success differs; with one episode a task, McNemar’s test. A small p says that the split is unlikely to be chance, not that the difference is large."
            >
              p (sign test)
            </Column>
            <Column isUnseen>Tasks</Column>
          </tr>
        </thead>
        <tbody>
          {comparison.runs.map(({ run, difference }, index) =>
            difference === null ? null : (
              <OutcomeRow
                key={run}
                run={named(run)}
                index={index}
                baseline={baseline}
                difference={difference}
              />
            ),
          )}
        </tbody>
      </Table>
    </Section>
  )
}
