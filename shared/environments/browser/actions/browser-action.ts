/** What a model may do in a browser, whichever grammar it wrote it in. Ids are those of the observation before it. */
export type BrowserAction =
  | { kind: 'none' }
  | { kind: 'scroll'; direction: 'up' | 'down' }
  | { kind: 'press'; keys: string }
  | ({ kind: 'click' | 'hover' | 'clear' } & ActionTarget)
  /** `text` ends with a line break where Enter is pressed after it. */
  | ({ kind: 'type'; text: string } & ActionTarget)
  | { kind: 'check' | 'select_option'; target: PlaywrightCall[]; code: string }
  | { kind: 'focus_tab'; tab: number }
  | { kind: 'new_tab' | 'close_tab' | 'go_back' | 'go_forward' }
  | { kind: 'goto'; url: string }
  | { kind: 'stop'; answer: string }

/** An element by its id, or by the calls of Playwright that locate it, with the code they were parsed from. */
export type ActionTarget = { element: string } | { target: PlaywrightCall[]; code: string }

/** One call of a chain such as `page.get_by_role("link", name="Lamp")`. */
export interface PlaywrightCall {
  name: string
  positional: readonly PlaywrightValue[]
  keywords: Readonly<Record<string, PlaywrightValue>>
}

export type PlaywrightValue = string | number | boolean | null

/** The action as written cannot be read. The message is the reference's, which prompts show to the model. */
export class ActionParsingError extends Error {
  override readonly name = 'ActionParsingError'
}

/**
 * Whether two actions count as the same to the rules of early stopping: a `type` into the same element is the same whatever
 * its text.
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
