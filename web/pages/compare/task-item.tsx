import { useState } from 'react'
import { Link } from 'react-router'
import { compareEpisodesAddress, runAddress } from '../../format/addresses.ts'
import { showControls } from '../../format/show-controls.ts'
import styles from './compare.module.css'
import type { NamedRun } from './run-names.ts'
import { TaskEpisodes, useTaskEpisodes } from './task-episodes.tsx'

export function TaskItem({ task, sides }: { task: string; sides: readonly [NamedRun, NamedRun] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary dir="auto">{showControls(task)}</summary>
        {isOpen && <TaskSides task={task} sides={sides} />}
      </details>
    </li>
  )
}

function TaskSides({ task, sides: [run, baseline] }: { task: string; sides: readonly [NamedRun, NamedRun] }) {
  const own = useTaskEpisodes(run.run, task)
  const other = useTaskEpisodes(baseline.run, task)
  const pairs = (other.data ?? []).flatMap((left) => {
    const right = own.data?.find(({ epoch }) => epoch === left.epoch)
    return right === undefined ? [] : [{ epoch: left.epoch, left, right }]
  })
  return (
    <dl className={styles.taskSides}>
      {[
        { ...run, episodes: own },
        { ...baseline, episodes: other },
      ].map((side) => (
        <div key={side.run}>
          <dt dir="auto">
            <Link to={`${runAddress(side.run)}?task=${encodeURIComponent(task)}`}>{side.name}</Link>
          </dt>
          <dd>
            <TaskEpisodes run={side.run} episodes={side.episodes} />
          </dd>
        </div>
      ))}
      {pairs.length > 0 && (
        <div>
          <dt>Trajectories</dt>
          {pairs.map(({ epoch, left, right }) => (
            <dd key={epoch}>
              <Link
                to={compareEpisodesAddress({
                  left: { run: baseline.run, episode: left.id },
                  right: { run: run.run, episode: right.id },
                })}
              >
                Side by side{pairs.length > 1 && `, epoch ${epoch + 1}`}
              </Link>
            </dd>
          ))}
        </div>
      )}
    </dl>
  )
}
