import type { Report } from '../../../shared/core/contracts/report.ts'
import { Estimate } from '../../components/estimate.tsx'
import { Table } from '../../components/table.tsx'
import styles from './run-page.module.css'

export function DrawsTable({ draws }: { draws: Report['draws'] }) {
  return (
    <div className={styles.resultPart}>
      <h3>Several episodes of a task</h3>
      <Table label="Chances of success in k episodes of a task">
        <thead>
          <tr>
            <th scope="col">k</th>
            <th scope="col">pass@k: one of k succeeds</th>
            <th scope="col">pass^k: all k succeed</th>
          </tr>
        </thead>
        <tbody>
          {draws.map(({ k, pass_at_k, pass_hat_k }) => (
            <tr key={k}>
              <th scope="row">{k}</th>
              <td>
                <Estimate of={pass_at_k} />
              </td>
              <td>
                <Estimate of={pass_hat_k} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
