import type { ActionFilter } from './action-sets.ts'

/** The address's name for the group of actions for every task. */
export const everyTask = '*'

export function readActionFilter(address: URLSearchParams): ActionFilter {
  const group = address.get('group')
  return {
    text: address.get('text') ?? '',
    group: group === null ? undefined : group === everyTask ? null : group,
  }
}
