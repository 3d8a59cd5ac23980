import { useMethods } from '../../service/catalogue.ts'
import { ChosenRuns } from './chosen-runs.tsx'
import styles from './compare.module.css'
import type { ChangeChoice, CompareChoice } from './compare-choice.ts'
import { ComparedParts } from './compared-parts.tsx'
import { SettingsSection } from './settings-section.tsx'
import { SpendingSection } from './spending-section.tsx'
import type { ComparisonState } from './use-comparison.ts'

export function ComparisonView({
  choice,
  state,
  onChange,
  onAdd,
}: {
  choice: CompareChoice
  state: ComparisonState
  onChange: ChangeChoice
  onAdd?: () => void
}) {
  const methods = useMethods().data ?? []
  const { comparison, curves } = state
  return (
    <>
      <ChosenRuns choice={choice} state={state} onChange={onChange} />
      <ComparedParts choice={choice} state={state} {...(onAdd && { onAdd })} />
      {comparison.isEnabled && comparison.data && (
        <div className={styles.comparePart}>
          {curves.isEnabled && <SpendingSection choice={choice} curves={curves} />}
          <SettingsSection comparison={comparison.data} methods={methods} />
        </div>
      )}
    </>
  )
}
