import type { Comparison } from '../../../shared/contracts/report.ts'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { showControls } from '../../format/show-controls.ts'
import styles from './compare.module.css'
import { RunName } from './run-name.tsx'
import { namesOf } from './run-names.ts'

type Value = Comparison['settings'][number]['values'][number]

/** What else differs between the runs, so that nobody takes for the method's what is the seed's. */
export function SettingsSection({ comparison: { runs, settings } }: { comparison: Comparison }) {
  const names = namesOf({ runs })
  return (
    <Section title="Settings that differ" aside="equal ones are left out, and names and labels" isFlush>
      {settings.length === 0 ? (
        <p className={styles.foot}>None: the runs were asked for in the same way.</p>
      ) : (
        <Table label="What each run was asked for">
          <thead>
            <tr>
              <th scope="col" className={styles.setting}>
                Setting
              </th>
              {runs.map(({ run }, index) => (
                <th key={run} scope="col">
                  <div className={styles.column}>
                    <RunName index={index} name={names.get(run) ?? run} />
                  </div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {settings.map(({ field, values }) => (
              <tr key={field}>
                <th scope="row" className={styles.setting}>
                  <code>{showControls(field)}</code>
                </th>
                {runs.map(({ run }, index) => (
                  <td key={run} dir="auto" className={isAsFirst(values, index) ? styles.soft : undefined}>
                    {show(values[index])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Section>
  )
}

function isAsFirst(values: readonly Value[], index: number): boolean {
  return index > 0 && values[index] === values[0]
}

function show(value: Value | undefined): string {
  if (value === null || value === undefined) return 'not set'
  return showControls(String(value))
}
