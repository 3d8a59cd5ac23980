import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/section.tsx'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'
import type { ActionSet } from './action-sets.ts'
import { LearnedActionCard } from './learned-action-card.tsx'
import styles from './library-page.module.css'
import { SetScores } from './set-scores.tsx'

/** Actions that belong together: how they did, what each does, and all of them in use. */
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
