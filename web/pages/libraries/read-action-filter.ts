import type { ActionFilter } from './action-sets.ts'

export const everyTask = '*'

export function readActionFilter(address: URLSearchParams): ActionFilter {
  const group = address.get('group')
  return {
    text: address.get('text') ?? '',
    group: group === null ? undefined : group === everyTask ? null : group,
  }
}
