import { EspalierError } from '../../../core/contracts/errors.ts'
import type { Attempt } from '../attempt.ts'
import type { Contender } from './pair-up.ts'

interface Layout {
  head: string | null
  observations: string | null
  actions: string
}

type Side = Pick<Contender, 'head' | 'turns'> & { readonly attempt: Attempt; readonly calls: boolean }

/**
 * Refuses a pair whose sides have different layouts: the form alone would identify the rejected side.
 *
 * @throws EspalierError `invalid_request` that names both layouts and the remedy
 */
export function checkLayouts(one: Side, other: Side): void {
  const [left, right] = [layoutOf(one), layoutOf(other)]
  const differ = (['head', 'observations', 'actions'] as const).some(
    (part) => left[part] !== null && right[part] !== null && left[part] !== right[part],
  )
  if (!differ) return
  throw new EspalierError(
    'invalid_request',
    `The two sides of a pair at ${one.attempt.task} are laid out differently: ${nameOf(one)} has ${inWords(left)}, ${nameOf(other)} has ${inWords(right)}. ${remedyFor(left, right)}, or set the kind's parameter "layouts" to "any".`,
    { param: 'parameters.layouts' },
  )
}

function remedyFor(left: Layout, right: Layout): string {
  return left.actions === right.actions
    ? 'Play the run with the method\'s parameter "layout": "eto" to have the layout of ETO\'s experts'
    : 'Play both with the same value of the method\'s parameter "actions"'
}

function layoutOf({ calls, head, turns }: Side): Layout {
  const shown = turns.find(({ role }) => role === 'user')
  return {
    head: headOf(head),
    observations: shown === undefined ? null : markOf(shown.content),
    actions: calls ? 'calls of tools' : 'actions as text',
  }
}

function headOf([first, second]: Side['head']): string | null {
  if (first?.role === 'system') return 'a system text'
  return second?.role === 'assistant' ? 'an instruction that is agreed to' : null
}

function markOf(content: string): string {
  return /^Observation:\s/.test(content) ? 'observations behind "Observation:"' : 'bare observations'
}

function inWords({ actions, head, observations }: Layout): string {
  return [head, observations, actions].filter((part) => part !== null).join(' and ')
}

function nameOf({ attempt: { source, episode } }: Side): string {
  return `${episode} of ${source}`
}
