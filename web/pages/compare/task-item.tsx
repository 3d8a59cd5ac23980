import { useState } from 'react'
import { Link } from 'react-router'
import { runAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './compare.module.css'
import type { NamedRun } from './run-names.ts'
import { TaskEpisodes } from './task-episodes.tsx'

/** A task of which two runs made something different; opened, it shows the episodes of both. */
export function TaskItem({ task, sides }: { task: string; sides: readonly NamedRun[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary dir="auto">{showControls(task)}</summary>
        {isOpen && (
          <dl className={styles.taskSides}>
            {sides.map(({ run, name }) => (
              <div key={run}>
                <dt dir="auto">
                  <Link to={`${runAddress(run)}?task=${encodeURIComponent(task)}`}>{name}</Link>
                </dt>
                <dd>
                  <TaskEpisodes run={run} task={task} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </details>
    </li>
  )
}
