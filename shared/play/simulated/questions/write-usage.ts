import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import type { Outlook } from '../../../environments/simulated/expert.ts'

const seen = [
  'All of it was done, and nothing was refused.',
  'It went as it should.',
  'Every step of it was taken.',
]

export function writeUsage(outlook: Outlook | null, random: Random): string {
  const actions = (outlook?.usage?.() ?? outlook?.statements() ?? ['look around']).map(
    (statement) => /^act\("(.*)"\)$/.exec(statement)?.[1] ?? statement,
  )
  return actions.map((action) => `Action: ${action}\nObservation: ${choose(seen, random)}`).join('\n')
}

export function writeDescription(shown: string): string {
  const [, name = 'It'] = /^(?:async )?function (\w+)/m.exec(shown) ?? []
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(shown)?.[1] ?? 'Does a larger step of the task.'
  const words = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/, '').replace(/^@param (\w+) - (.*)$/, '$1 is $2.'))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  return `Description: ${name} does this: ${words}`
}
