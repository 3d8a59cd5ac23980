export type DesktopAction =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'wait' }
  | { readonly kind: 'done' }
  | { readonly kind: 'fail' }

export type ReadDesktopActions =
  | { readonly actions: readonly DesktopAction[]; readonly problem?: never }
  | { readonly problem: string; readonly actions?: never }

const words = { WAIT: { kind: 'wait' }, DONE: { kind: 'done' }, FAIL: { kind: 'fail' } } as const

export function readDesktopWord(text: string): DesktopAction | null {
  const word = text.trim()
  return Object.hasOwn(words, word) ? words[word as keyof typeof words] : null
}

export function writeDesktopAction(action: DesktopAction): string {
  return action.kind === 'code' ? action.code : action.kind.toUpperCase()
}
