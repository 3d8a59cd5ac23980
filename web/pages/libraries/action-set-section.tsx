import { formatNumber } from '../../../shared/core/client/format-quantity.ts'
import type { LibraryScores } from '../../../shared/core/contracts/library.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Section } from '../../components/section.tsx'
import { Stat, Stats } from '../../components/stat.tsx'
import { countOf } from '../../format/count-of.ts'
import { showControls } from '../../format/show-controls.ts'
import type { ActionSet } from './action-sets.ts'
import { LearnedActionCard } from './learned-action-card.tsx'
import styles from './library-page.module.css'

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
