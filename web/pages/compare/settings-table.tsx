import type { MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { isObject } from '../../components/schema-fields/read-fields.ts'
import { Table } from '../../components/table.tsx'
import { showControls } from '../../format/show-controls.ts'
import styles from './compare.module.css'
import { RunName } from './run-name.tsx'
import { namesOf } from './run-names.ts'

type Setting = Comparison['settings'][number]

export function SettingsTable({
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

const prefix = 'method.'

export function isParameter(field: string): boolean {
  return field.startsWith(prefix) && field !== `${prefix}id`
}

function lacksParameter(method: Pick<MethodInfo, 'parameters'> | undefined, field: string): boolean {
  if (method === undefined || !isParameter(field)) return false
  const { anyOf } = method.parameters
  const variants = Array.isArray(anyOf) ? anyOf.filter(isObject) : [method.parameters]
  const [name = ''] = field.slice(prefix.length).split('.')
  return !variants.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name))
}
