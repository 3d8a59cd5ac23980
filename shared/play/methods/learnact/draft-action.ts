import type { LearnedAction } from '../../../core/contracts/library.ts'
import type { ProgramLanguage } from '../../../core/contracts/program-language.ts'
import { programDialects } from '../prompts/program-prompts.ts'

export type DraftAction = Omit<LearnedAction, 'group' | 'scores'>

export function libraryLanguage(actions: readonly Pick<LearnedAction, 'language'>[]): ProgramLanguage {
  return actions[0]?.language ?? 'javascript'
}

export function codeOf(actions: readonly Pick<DraftAction, 'code'>[], language: ProgramLanguage): string {
  return [
    `\`\`\`${programDialects[language].fence}`,
    ...actions
      .map(({ code }) => code)
      .join('\n\n')
      .split('\n'),
    '```',
  ].join('\n')
}
