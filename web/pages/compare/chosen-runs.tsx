import { markFront } from '../../../shared/core/contracts/mark-front.ts'
import { provenanceNotices } from '../../../shared/core/contracts/provenance.ts'
import { InlineField } from '../../components/inline-field.tsx'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { countOf } from '../../format/count-of.ts'
import { ChosenRun } from './chosen-run.tsx'
import { ChosenRunsHead } from './chosen-runs-head.tsx'
import styles from './compare.module.css'
import type { ChangeChoice, CompareChoice } from './compare-choice.ts'
import { DownloadButtons } from './download-buttons.tsx'
import { efforts } from './effort.ts'
import { runNames } from './run-names.ts'
import type { ComparisonState } from './use-comparison.ts'

export function ChosenRuns({
  choice,
  state: { runs, comparison, isMoving },
  onChange,
}: {
  choice: CompareChoice
  state: ComparisonState
  onChange: ChangeChoice
}) {
  const names = runNames(runs.map(({ id, query }) => ({ id, name: query.data?.request.name ?? null })))
  const compared = comparison.isPlaceholderData ? undefined : comparison.data
  const effort = efforts[choice.over]
  const front = markFront(
    (compared?.runs ?? []).map((run) => ({ cost: effort.of(run).mean, quality: run.success_rate.mean })),
  )
  const frontRuns = new Set(compared?.runs.filter((_, index) => front[index]).map(({ run }) => run))
  return (
    <Section
      title="Runs"
      isFlush
      aside={
        <>
          {isMoving && <span>Some are still running: the numbers change.</span>}
          <InlineSelect
            label="Intervals"
            hint="Student’s t (Wilson’s score for rates), or the tasks drawn again 10,000 times"
            value={choice.interval}
            choices={[
              { value: 't', name: 't and Wilson' },
              { value: 'bootstrap', name: 'bootstrap' },
            ]}
            onChoose={(interval) => onChange(() => ({ interval }))}
          />
          <InlineSelect
            label="Effort in"
            hint="What the plots set against quality"
            value={choice.over}
            choices={(['calls', 'tokens', 'cost'] as const).map((value) => ({
              value,
              name: efforts[value].name.toLowerCase(),
            }))}
            onChoose={(over) => onChange(() => ({ over }))}
          />
          <DownloadButtons choice={choice} isReady={compared !== undefined} />
        </>
      }
    >
      <Table label="The runs that are compared">
        <ChosenRunsHead effort={effort.name.toLowerCase()} />
        <tbody>
          {runs.map(({ id, query }, index) => (
            <ChosenRun
              key={id}
              id={id}
              index={index}
              name={names.get(id) ?? id}
              query={query}
              compared={compared?.runs.find(({ run }) => run === id)}
              isOnFront={frontRuns.has(id)}
              onBaseline={() => onChange((now) => ({ runs: [id, ...now.runs.filter((run) => run !== id)] }))}
              onRemove={() => onChange((now) => ({ runs: now.runs.filter((run) => run !== id) }))}
            />
          ))}
        </tbody>
      </Table>
      <p className={styles.tableFoot}>
        {compared && (
          <>
            All figures are of the {countOf(compared.shared_tasks, 'task')} on which every run has an episode
            with a reward; means with 95 % intervals, clustered by task.{' '}
          </>
        )}
        {compared && (
          <strong className={styles.simulated}>{provenanceNotices(compared.runs).join(' ')} </strong>
        )}
        {compared?.simulated && (
          <strong className={styles.simulated}>
            Played by the simulated model: these numbers prove plumbing, not quality.
          </strong>
        )}
      </p>
    </Section>
  )
}

function InlineSelect<Value extends string>({
  label,
  hint,
  value,
  choices,
  onChoose,
}: {
  label: string
  hint: string
  value: Value
  choices: readonly { value: Value; name: string }[]
  onChoose: (value: Value) => void
}) {
  return (
    <InlineField label={label} hint={hint}>
      {(field) => (
        <select
          {...field}
          value={value}
          onChange={(event) => {
            const chosen = choices.find((choice) => choice.value === event.target.value)
            if (chosen) onChoose(chosen.value)
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.name}
            </option>
          ))}
        </select>
      )}
    </InlineField>
  )
}
