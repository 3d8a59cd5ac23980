import type { ProgramLanguage } from '../../../core/contracts/program-language.ts'
import type { EnvironmentGuide } from '../../../environments/environment.ts'

export function showExample({ example, program }: EnvironmentGuide, language: ProgramLanguage): string {
  if (program === undefined || language !== 'javascript') return ''
  const task = example === null ? [] : [example.observation]
  return ['Here is a program for another task.', ...task, `\`\`\`js\n${program}\n\`\`\``].join('\n\n')
}
