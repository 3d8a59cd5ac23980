import type { LearnedAction } from '../../../core/contracts/library.ts'

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
