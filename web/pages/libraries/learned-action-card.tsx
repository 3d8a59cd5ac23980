import type { LibraryAction } from '../../../shared/core/contracts/library.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { showControls } from '../../format/show-controls.ts'
import { ActionHistory } from './action-history.tsx'
import styles from './library-page.module.css'

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
