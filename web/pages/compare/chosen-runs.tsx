import { markFront } from '../../../shared/reports/mark-front.ts'
import { Section } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { countOf } from '../../format/count-of.ts'
import { ChosenRun } from './chosen-run.tsx'
import styles from './compare.module.css'
import type { ChangeChoice, CompareChoice } from './compare-choice.ts'
import { DownloadButtons } from './download-buttons.tsx'
import { efforts } from './effort.ts'
import { InlineSelect } from './inline-select.tsx'
import { runNames } from './run-names.ts'
import type { ComparisonState } from './use-comparison.ts'

/** The figures of the table, and how many rem each keeps free, so that nothing moves when the numbers come. */
const columns = [
  {
    name: 'Success',
    hint: 'The share of episodes whose answer reached the environment’s success threshold',
    width: 6.2,
  },
  { name: 'Reward', hint: 'The mean reward of the answers', width: 6.2 },
  { name: 'Steps', hint: 'Environment steps of an episode', width: 4 },
  { name: 'Path', hint: 'Actions on the path of the answer', width: 4 },
  { name: 'Calls', hint: 'Model calls of an episode', width: 6.2 },
  { name: 'Tokens', hint: 'Tokens of an episode, input and output', width: 8.8 },
  {
    name: 'Cost',
    hint: 'US dollars of an episode; unknown as soon as one endpoint states no price',
    width: 5,
  },
  {
    name: 'Per success',
    hint: 'All that the shared tasks took, errors included, by the episodes that succeeded',
    width: 5.5,
  },
  { name: 'Learning', hint: 'What its learning episodes cost, which no other figure holds', width: 5 },
] as const

/** The chosen runs and what each came to on the shared tasks; here runs are removed and the baseline is changed. */
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
          {isMoving && <span>Some go on: the numbers change.</span>}
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
        <colgroup>
          <col />
          {columns.map(({ name, width }) => (
            <col key={name} style={{ width: `${width}rem` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">Run</th>
            {columns.map(({ name, hint }) => (
              <th key={name} scope="col" className="number" title={hint}>
                {name}
              </th>
            ))}
            <th scope="col" className="number" title="Episodes with a reward on the shared tasks, of all">
              Episodes
            </th>
            <th
              scope="col"
              title={`No other run is as good or better for as few ${effort.name.toLowerCase()}, and better in one`}
            >
              Front
            </th>
            <th scope="col">
              <span className="visually-hidden">Change</span>
            </th>
          </tr>
        </thead>
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
      <p className={styles.foot}>
        {compared && (
          <>
            All figures are of the {countOf(compared.shared_tasks, 'task')} on which every run has an episode
            with a reward; means with 95 % intervals, clustered by task.{' '}
          </>
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
