import type { MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { Section } from '../../components/section.tsx'
import styles from './compare.module.css'
import { isParameter, SettingsTable } from './settings-table.tsx'

const mostOpen = 12

/**
 * The other differences between the runs, so that a reader does not credit the method with an effect of the seed.
 * Method parameters come last, because several methods have many.
 */
export function SettingsSection({
  comparison: { runs, settings },
  methods,
}: {
  comparison: Comparison
  methods: readonly MethodInfo[]
}) {
  const parameters = settings.filter(({ field }) => isParameter(field))
  const others = settings.filter(({ field }) => !isParameter(field))
  return (
    <Section title="Settings that differ" aside="equal ones are left out, and names and labels" isFlush>
      {settings.length === 0 && (
        <p className={styles.tableFoot}>None: the requests of the runs are the same.</p>
      )}
      {others.length > 0 && (
        <SettingsTable label="Settings that differ" runs={runs} settings={others} methods={methods} />
      )}
      {parameters.length > 0 && (
        <details className={styles.parameters} open={parameters.length <= mostOpen}>
          <summary>Parameters of the methods ({parameters.length})</summary>
          <SettingsTable label="Parameters that differ" runs={runs} settings={parameters} methods={methods} />
        </details>
      )}
    </Section>
  )
}
