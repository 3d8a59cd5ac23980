export type BrowserAction =
  | { kind: 'none' }
  | { kind: 'scroll'; direction: 'up' | 'down' }
  | { kind: 'press'; keys: string }
  | ({ kind: 'click' | 'hover' | 'clear' } & ActionTarget)
  | ({ kind: 'type'; text: string } & ActionTarget)
  | { kind: 'check' | 'select_option'; target: PlaywrightCall[]; code: string }
  | { kind: 'focus_tab'; tab: number }
  | { kind: 'new_tab' | 'close_tab' | 'go_back' | 'go_forward' }
  | { kind: 'goto'; url: string }
  | { kind: 'stop'; answer: string }

export type ActionTarget = { element: string } | { target: PlaywrightCall[]; code: string }

export interface PlaywrightCall {
  name: string
  positional: readonly PlaywrightValue[]
  keywords: Readonly<Record<string, PlaywrightValue>>
}

export type PlaywrightValue = string | number | boolean | null

/** The written action cannot be parsed. The message is the reference's, which prompts show to the model. */
export class ActionParsingError extends Error {
  override readonly name = 'ActionParsingError'
}

/**
 * Compares two actions for early stopping. Two `type` actions on the same element are the same regardless of their
 * text.
 */
export function isSameAction(a: BrowserAction, b: BrowserAction): boolean {
  if (a.kind !== b.kind) return false
  switch (a.kind) {
    case 'scroll':
      return a.direction === (b as typeof a).direction
    case 'press':
      return a.keys === (b as typeof a).keys
    case 'focus_tab':
      return a.tab === (b as typeof a).tab
    case 'goto':
      return a.url === (b as typeof a).url
    case 'stop':
      return a.answer === (b as typeof a).answer
    case 'check':
    case 'select_option':
      return a.code === (b as typeof a).code
    case 'click':
    case 'hover':
    case 'clear':
    case 'type':
      return targetKey(a) === targetKey(b as typeof a)
    default:
      return true
  }
}

function targetKey(target: ActionTarget): string {
  return 'element' in target ? `id ${target.element}` : `code ${target.code}`
}
