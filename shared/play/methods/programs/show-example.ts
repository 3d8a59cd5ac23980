import type { EnvironmentGuide } from '../../../environments/environment.ts'

export function showExample({ example, program }: EnvironmentGuide): string {
  if (program === undefined) return ''
  const task = example === null ? [] : [example.observation]
  return ['Here is a program for another task.', ...task, `\`\`\`js\n${program}\n\`\`\``].join('\n\n')
}
