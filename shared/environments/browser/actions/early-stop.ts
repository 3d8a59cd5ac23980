import { type BrowserAction, isSameAction } from './browser-action.ts'

export interface EarlyStopLimits {
  steps: number
  parsingFailures: number
  /** Maximum repetitions of the same action in a row; for `type` actions, in the whole episode. */
  repeatedActions: number
}

export function earlyStopReason(
  actions: readonly BrowserAction[],
  limits: EarlyStopLimits,
): string | undefined {
  if (actions.length >= limits.steps) return `Reach max steps ${limits.steps}`
  const unparsed = actions.slice(-limits.parsingFailures)
  if (unparsed.length >= limits.parsingFailures && unparsed.every(({ kind }) => kind === 'none')) {
    return `Failed to parse actions for ${limits.parsingFailures} times`
  }
  const last = actions.at(-1)
  if (last === undefined) return undefined
  const isLast = (action: BrowserAction) => isSameAction(action, last)
  if (last.kind === 'type') {
    return actions.filter(isLast).length >= limits.repeatedActions
      ? `Same typing action for ${limits.repeatedActions} times`
      : undefined
  }
  const recent = actions.slice(-limits.repeatedActions)
  return recent.length >= limits.repeatedActions && recent.every(isLast)
    ? `Same action for ${limits.repeatedActions} times`
    : undefined
}
