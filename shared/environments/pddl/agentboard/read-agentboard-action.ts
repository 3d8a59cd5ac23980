import type { Facts } from '../../planning/facts.ts'
import type { Action, PlanningTask } from '../../planning/planning-task.ts'

const longestAction = 1000

/**
 * Parses an agent's text as AgentBoard does: `check` anywhere in it requests the valid actions. Otherwise it takes
 * the first word that names a possible action, and the first objects in order, as many as the action takes. Other
 * words are ignored.
 * @returns `not understood` without such a name or with too few objects; `not possible` if the objects do not fit the
 * action
 * @example
 * readAgentboardAction(task, facts, 'Stack b1 on b2.') // the action (stack b1 b2)
 */
export function readAgentboardAction(
  task: PlanningTask,
  facts: Facts,
  text: string,
): Action | 'check valid actions' | 'look around' | 'not understood' | 'not possible' {
  if (text.length > longestAction) return 'not understood'
  const lower = text.toLowerCase()
  if (lower.includes('check')) return 'check valid actions'
  if (lower.includes('look around')) return 'look around'
  const words = lower.split(/[\s()[\]{}<>,;:!?"'`]+/).map((word) => word.replace(/\.+$/, ''))
  const schema = words
    .map((word) => task.schemas.find(({ name }) => name === word))
    .find((named) => named !== undefined && task.applicableActions(facts, named.name).length > 0)
  if (schema === undefined) return 'not understood'
  const objects = words.filter((word) => task.objectNumber(word) !== undefined)
  const needed = schema.parameters.length
  if (objects.length < needed) return 'not understood'
  return task.action(schema.name, objects.slice(0, needed)) ?? 'not possible'
}
