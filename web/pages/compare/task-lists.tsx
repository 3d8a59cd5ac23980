import type { ComparedRun } from '../../../shared/core/contracts/report.ts'
import styles from './compare.module.css'
import type { NamedRun } from './run-names.ts'
import { TaskItem } from './task-item.tsx'

export function TaskLists({
  sides,
  difference: { won, lost, won_tasks, lost_tasks },
}: {
  sides: readonly [NamedRun, NamedRun]
  difference: NonNullable<ComparedRun['difference']>
}) {
  return (
    <div className={styles.taskColumns}>
      {[
        { title: 'Won', count: won, tasks: won_tasks },
        { title: 'Lost', count: lost, tasks: lost_tasks },
      ].map(({ title, count, tasks }) => (
        <div key={title}>
          <h3>
            {title}: {count}
            {count > tasks.length && `, the first ${tasks.length}`}
          </h3>
          {count === 0 && <p className={styles.soft}>None.</p>}
          <ul className={styles.tasks}>
            {tasks.map((task) => (
              <TaskItem key={task} task={task} sides={sides} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
