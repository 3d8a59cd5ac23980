import type { LearnedAction } from '../../contracts/library.ts'

/** An action in the making: one of a set that is not chosen yet. */
export type DraftAction = Omit<LearnedAction, 'group' | 'scores'>

/** The code of a whole set, as prompts show it. */
export function codeOf(actions: readonly Pick<DraftAction, 'code'>[]): string {
  return [
    '```js',
    ...actions
      .map(({ code }) => code)
      .join('\n\n')
      .split('\n'),
    '```',
  ].join('\n')
}
