import type { ActionFilter } from './action-sets.ts'

/** How the address names the group of actions that are for every task. */
export const everyTask = '*'

/** What the address narrows the actions by. */
export function readActionFilter(address: URLSearchParams): ActionFilter {
  const group = address.get('group')
  return {
    text: address.get('text') ?? '',
    group: group === null ? undefined : group === everyTask ? null : group,
  }
}
