import type { BrowserAction } from './browser-action.ts'

/** How elements are named: by ids of the accessibility tree, by set-of-marks numbers, or by Playwright's locators. */
export type ActionSet = 'id_accessibility_tree' | 'som' | 'playwright'

/**
 * The action in one line, as prompts list what was done before. It is also what makes two proposals the same: searches
 * count proposals by it.
 *
 * @param element What the observation says of the action's element, such as `[12] link 'x'`.
 */
export function describeBrowserAction(action: BrowserAction, actionSet: ActionSet, element = ''): string {
  if ('code' in action) return action.code
  switch (action.kind) {
    case 'click':
    case 'hover':
      return `${action.kind} [${action.element}] ${where(action.element)}`
    case 'type':
      return `type [${action.element}] [${action.text}] ${where(action.element)}`
    case 'clear':
      // The reference names the element here under both sets.
      return `clear [${action.element}] where [${action.element}] is ${element}`
    case 'scroll':
      return `scroll [${action.direction}]`
    case 'press':
      return `press [${action.keys}]`
    case 'goto':
      return `goto [${action.url}]`
    case 'focus_tab':
      return `page_focus [${action.tab}]`
    case 'stop':
      return `stop [${action.answer}]`
    default:
      return action.kind
  }

  function where(id: string): string {
    return actionSet === 'som' ? `where [${id}]` : `where [${id}] is ${element}`
  }
}
