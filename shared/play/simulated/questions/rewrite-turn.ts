import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'

export function writeOption(shown: string, random: Random): string {
  const letters = [...shown.matchAll(/^([A-Z])\) /gm)].map(([, letter = '']) => letter)
  const reason = choose(
    [
      'It is about what is seen here',
      'It speaks for what is done next',
      'The others say less about this state',
    ],
    random,
  )
  return `Reason: ${reason}.\nOption: ${choose(letters, random) ?? 'A'}`
}

const ways: readonly ((thought: string) => string)[] = [
  (thought) => thought,
  (thought) => `I look at where I stand. ${thought}`,
  (thought) => `${thought} So I do this next.`,
]

export function rewriteTurn(shown: string, skill: number, random: Random): string {
  const turn = [...shown.matchAll(/<<<\n([\s\S]*?)\n>>>/g)].at(-1)?.[1] ?? ''
  const start = turn.lastIndexOf('Action:')
  const [before, action] = start < 0 ? ['', turn] : [turn.slice(0, start), turn.slice(start)]
  const thought = before
    .replace(/^Thought:/, '')
    .replace(/\bTaking stock: /g, '')
    .replace(/\bthe agent is\b/gi, 'I am')
    .replace(/\bthe agent(?:'s)?\b/gi, (words) => (words.endsWith("'s") ? 'my' : 'I'))
    .trim()
  const way = choose(ways, random) ?? ways[0]
  return `Thought: ${way?.(thought)}\n${random() < skill ? action : `${action} again`}`
}
