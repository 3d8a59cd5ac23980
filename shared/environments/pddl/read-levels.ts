import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { type TaskLevel, taskLevelSchema } from '../../core/contracts/task-level.ts'
import type { PackSource } from '../data-pack.ts'
import type { PackIndex } from './pack-format.ts'

const order = ['gripper', 'blockworld', 'barman', 'tyreworld']
const labelSchema = z.object({ difficulty: taskLevelSchema })

/**
 * Adds the levels of AgentBoard's label file to its 60 problems. A line names no problem: AgentBoard takes the lines in
 * the order of its domains, and of the problems' sorted file names.
 *
 * @see AgentBoard, agentboard/tasks/pddl.py, get_all_environment_configs
 * @throws EspalierError `invalid_request` if the lines are not as many as the problems
 */
export async function addLevels(source: PackSource, tasks: PackIndex['tasks']): Promise<PackIndex['tasks']> {
  const files = source.files.filter((file) => file.endsWith('.jsonl'))
  const levels: TaskLevel[] = []
  for (const path of files)
    levels.push(...readLevels(new TextDecoder().decode(await source.read(path)), path))
  if (levels.length === 0) return tasks
  const labelled = order.flatMap((type) => tasks.filter((task) => task.type === type))
  if (labelled.length !== levels.length) {
    throw new EspalierError(
      'invalid_request',
      `${files.join(', ')} has ${levels.length} levels, and the folder ${labelled.length} problems of ${order.join(', ')}. Give the label file of these problems, or leave it out.`,
    )
  }
  const levelOf = new Map(labelled.map(({ id }, at) => [id, levels[at]]))
  return tasks.map((task) => {
    const level = levelOf.get(task.id)
    return level === undefined ? task : { ...task, level }
  })
}

function readLevels(text: string, path: string): TaskLevel[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const label = labelSchema.safeParse(parseLine(line))
    if (label.success) return [label.data.difficulty]
    throw new EspalierError(
      'invalid_request',
      `${path}, line ${at + 1}, has no difficulty, "easy" or "hard", as AgentBoard's label files have.`,
    )
  })
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
