import type { LearnedAction } from '../../contracts/library.ts'

/** A draft action, from a set that is not chosen yet. */
export type DraftAction = Omit<LearnedAction, 'group' | 'scores'>

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
