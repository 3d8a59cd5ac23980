import type { BrowserAction } from './browser-action.ts'

export type ActionSet = 'id_accessibility_tree' | 'som' | 'playwright'

/**
 * Describes the action in one line, as prompts list earlier actions. Searches also use it to deduplicate proposals.
 * @param element The observation's text of the action's element, such as `[12] link 'x'`.
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
