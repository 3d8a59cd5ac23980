import type { MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { isObject } from '../../components/schema-fields/read-fields.ts'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { showControls } from '../../format/show-controls.ts'
import styles from './compare.module.css'
import { RunName } from './run-name.tsx'
import { namesOf } from './run-names.ts'

type Setting = Comparison['settings'][number]

const mostOpen = 12
const prefix = 'method.'

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

function SettingsTable({
  label,
  runs,
  settings,
  methods,
}: {
  label: string
  runs: Comparison['runs']
  settings: readonly Setting[]
  methods: readonly MethodInfo[]
}) {
  const names = namesOf({ runs })
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col" className={styles.setting}>
            Setting
          </th>
          {runs.map(({ run }, index) => (
            <th key={run} scope="col">
              <div className={styles.settingColumn}>
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
            {runs.map(({ method, run }, index) =>
              lacksParameter(
                methods.find(({ id }) => id === method),
                field,
              ) ? (
                <td key={run} className={styles.soft}>
                  <span title={`${method} has no such parameter`}>–</span>
                </td>
              ) : (
                <td key={run} dir="auto" className={isAsFirst(values, index) ? styles.soft : undefined}>
                  {show(values[index])}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function isAsFirst(values: Setting['values'], index: number): boolean {
  return index > 0 && values[index] === values[0]
}

function show(value: Setting['values'][number] | undefined): string {
  if (value === null || value === undefined) return 'not set'
  return showControls(String(value))
}

function isParameter(field: string): boolean {
  return field.startsWith(prefix) && field !== `${prefix}id`
}

function lacksParameter(method: Pick<MethodInfo, 'parameters'> | undefined, field: string): boolean {
  if (method === undefined || !isParameter(field)) return false
  const { anyOf } = method.parameters
  const variants = Array.isArray(anyOf) ? anyOf.filter(isObject) : [method.parameters]
  const [name = ''] = field.slice(prefix.length).split('.')
  return !variants.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name))
}
