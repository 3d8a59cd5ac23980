import { useState } from 'react'
import { showControls } from '../../format/show-controls.ts'
import type { NamedRun } from './run-names.ts'
import { TaskSides } from './task-sides.tsx'

/** A task of which two runs made something different; opened, it shows the episodes of both. */
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
