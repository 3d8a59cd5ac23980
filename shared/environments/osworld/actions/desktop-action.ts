/** What is done on a desktop: Python code with pyautogui, or one of OSWorld's words. */
export type DesktopAction =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'wait' }
  | { readonly kind: 'done' }
  | { readonly kind: 'fail' }

/** An agent's answer as actions, to be taken in their order; or why it is none, in words for the agent. */
export type ReadDesktopActions =
  | { readonly actions: readonly DesktopAction[]; readonly problem?: never }
  | { readonly problem: string; readonly actions?: never }

const words = { WAIT: { kind: 'wait' }, DONE: { kind: 'done' }, FAIL: { kind: 'fail' } } as const

/** The action that a word stands for; null for another text. */
export function readDesktopWord(text: string): DesktopAction | null {
  const word = text.trim()
  return Object.hasOwn(words, word) ? words[word as keyof typeof words] : null
}

/** An action as OSWorld's history has it, which its scoring reads: code, or a word. */
export function writeDesktopAction(action: DesktopAction): string {
  return action.kind === 'code' ? action.code : action.kind.toUpperCase()
}
