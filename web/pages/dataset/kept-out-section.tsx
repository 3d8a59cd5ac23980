import type { Dataset } from '../../../shared/core/contracts/dataset.ts'
import { leftOutReasons } from '../../../shared/core/contracts/left-out-reasons.ts'
import { GateTable, LeftOutTable } from '../../components/kept-out.tsx'
import { Section } from '../../components/section.tsx'
import styles from './dataset-page.module.css'

export function KeptOutSection({ dataset: { gates, left_out, status } }: { dataset: Dataset }) {
  const isLeft = Object.keys(left_out).length > 0
  return (
    <Section title="What is kept out">
      <div className={styles.keptOutTables}>
        {Object.keys(gates).length > 0 && (
          <div>
            <h3>Rows, by the gate that stopped them</h3>
            <p className="soft">
              A row passes the gates in this order; what one drops, the later ones do not see.
            </p>
            <GateTable gates={gates} />
          </div>
        )}
        <div>
          <h3>Episodes that gave no row, by reason</h3>
          {isLeft ? (
            <LeftOutTable counts={left_out} words={leftOutReasons} />
          ) : (
            <p className="soft">{status === 'succeeded' ? 'Every episode gave a row.' : 'None so far.'}</p>
          )}
        </div>
      </div>
    </Section>
  )
}
