import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { ActionLineage, LibraryAction, LibraryScores } from '../../../shared/core/contracts/library.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'
import type { ActionSet } from './action-sets.ts'
import styles from './library-page.module.css'

const changes: Record<ActionLineage['change'], string> = {
  created: 'written',
  updated: 'rewritten',
  noted: 'given a note',
}

export function ActionSetSection({ set: { actions, group, scores, usage } }: { set: ActionSet }) {
  const title = group === null ? 'For every task' : <bdi>{showControls(group)}</bdi>
  return (
    <Section title={title} aside={countOf(actions.length, 'action')}>
      {scores !== null && <SetScores scores={scores} />}
      <ul className={styles.setActions}>
        {actions.map((action) => (
          <li key={action.id}>
            <LearnedActionCard action={action} />
          </li>
        ))}
      </ul>
      {usage.trim() !== '' && (
        <details>
          <summary>The example that shows their use to the agent</summary>
          <div className={styles.setUsage}>
            <CodeBlock label="The example" text={showControls(usage)} />
          </div>
        </details>
      )}
    </Section>
  )
}

function SetScores({ scores }: { scores: LibraryScores }) {
  return (
    <Stats>
      <Stat name="Score" note="what the set was chosen by, on the training tasks">
        {formatNumber(scores.score)}
      </Stat>
      <Stat name="Success" note="training tasks that were solved">
        {formatNumber(scores.success)}
      </Stat>
      <Stat name="Step accuracy" note="calls that ended well, of all calls">
        {formatNumber(scores.step_accuracy)}
      </Stat>
      <Stat name="Call ratio" note="calls that ended well, of all steps">
        {formatNumber(scores.call_ratio)}
      </Stat>
    </Stats>
  )
}

export function LearnedActionCard({ action }: { action: LibraryAction }) {
  const { code, description, lineage, name, notes, parameters } = action
  return (
    <article className={styles.actionCard}>
      <div className={styles.actionText}>
        <h3 className={styles.actionName}>
          <bdi>{showControls(name)}</bdi>
          <span className={styles.actionParameters}>({showControls(parameters.join(', '))})</span>
        </h3>
        <p dir="auto">{showControls(description)}</p>
        {notes.length > 0 && (
          <>
            <h4 className={styles.actionHeading}>To heed when calling it</h4>
            <ul className={styles.actionNotes}>
              {[...new Set(notes)].map((note) => (
                <li key={note}>
                  <bdi>{showControls(note)}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
        <ActionHistory lineage={lineage} />
      </div>
      <CodeBlock label={`The code of ${showControls(name)}`} text={showControls(code)} />
    </article>
  )
}

function ActionHistory({ lineage }: { lineage: readonly ActionLineage[] }) {
  if (lineage.length === 0) return null
  return (
    <>
      <h4 className={styles.historyHeading}>Where it comes from</h4>
      <ol className={styles.historySteps}>
        {lineage.map(({ candidate, change, reason, round }) => (
          <li key={`${round} ${candidate} ${change}`}>
            {round === 0 ? 'First' : `Round ${round}`}: {changes[change]} by candidate {candidate}
            {reason !== null && (
              <>
                , because <bdi>{showControls(reason)}</bdi>
              </>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
