import type { LibraryAction } from '../../../shared/core/contracts/library.ts'

export const everyTask = '*'

export interface ActionSet {
  id: string
  group: string | null
  scores: LibraryAction['scores']
  usage: string
  actions: LibraryAction[]
}

/**
 * Groups a library's actions into sets. Scores and the worked example belong to a whole set, although each action
 * repeats them.
 */
export function actionSets(actions: readonly LibraryAction[]): ActionSet[] {
  const sets = new Map<string, ActionSet>()
  for (const action of actions) {
    const { group, scores, usage } = action
    const id = JSON.stringify([group, scores, usage])
    const set = sets.get(id)
    if (set) set.actions.push(action)
    else sets.set(id, { id, group, scores, usage, actions: [action] })
  }
  return [...sets.values()]
}

export interface ActionFilter {
  text: string
  /** One group; null for actions of all tasks, undefined for any group. */
  group: string | null | undefined
}

export function filterActions(
  actions: readonly LibraryAction[],
  { group, text }: ActionFilter,
): LibraryAction[] {
  const sought = text.trim().toLowerCase()
  return actions.filter(
    (action) =>
      (group === undefined || action.group === group) &&
      [action.name, action.description, action.code, ...action.notes].some((each) =>
        each.toLowerCase().includes(sought),
      ),
  )
}

export function readActionFilter(address: URLSearchParams): ActionFilter {
  const group = address.get('group')
  return {
    text: address.get('text') ?? '',
    group: group === null ? undefined : group === everyTask ? null : group,
  }
}
