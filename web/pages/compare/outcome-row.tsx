import { useId, useState } from 'react'
import type { ComparedRun } from '../../../shared/core/contracts/report.ts'
import { Button } from '../../components/button.tsx'
import styles from './compare.module.css'
import { formatPValue } from './format-figures.ts'
import { RunName } from './run-name.tsx'
import type { NamedRun } from './run-names.ts'
import { TaskItem } from './task-item.tsx'

const columns = 9

export function OutcomeRow({
  run,
  index,
  baseline,
  difference,
}: {
  run: NamedRun
  index: number
  baseline: NamedRun
  difference: NonNullable<ComparedRun['difference']>
}) {
  const [isOpen, setOpen] = useState(false)
  const tasks = useId()
  const { won, tied, lost, sign_test } = difference
  return (
    <>
      <tr>
        <th scope="row" className={styles.run}>
          <RunName index={index} name={run.name} />
        </th>
        <td className="number">{won}</td>
        <td className="number">{tied}</td>
        <td className="number">{lost}</td>
        <td aria-hidden="true" className={styles.outcomeWide}>
          <OutcomeBar won={won} tied={tied} lost={lost} />
        </td>
        <td className="number">{sign_test.better}</td>
        <td className="number">{sign_test.worse}</td>
        <td className="number">{formatPValue(sign_test.p_value)}</td>
        <td>
          {won + lost > 0 && (
            <Button
              className={styles.outcomeButton}
              aria-expanded={isOpen}
              aria-controls={tasks}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide tasks' : 'Show tasks'}
              <span className="visually-hidden"> that {run.name} won and lost</span>
            </Button>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr id={tasks}>
          <td colSpan={columns}>
            <TaskLists sides={[run, baseline]} difference={difference} />
          </td>
        </tr>
      )}
    </>
  )
}

function OutcomeBar({ won, tied, lost }: { won: number; tied: number; lost: number }) {
  return (
    <div className={styles.outcomeBar}>
      {Object.entries({ won, tied, lost }).map(([outcome, count]) => (
        <div key={outcome} data-outcome={outcome} style={{ flexGrow: count }} />
      ))}
    </div>
  )
}

function TaskLists({
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
