import { expect, test } from 'vitest'
import { wordingPrompts } from '../../../shared/data/datasets/annotators/word-turns.ts'
import { PromptBook } from '../../../shared/play/search/prompt-book.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'

const book = new PromptBook()
const seeds = Array.from({ length: 50 }, (_, seed) => seed)
const shared = { task: 'Goal: craft stick.', shown: 'Got 1 oak logs' }

function say(content: string, skill: number, seed: number): string {
  return answerPrompt([{ role: 'user', content }], { skill, seed: 0 }, { seed, choice: 0 })
}

test('chooses any of the options that are there', () => {
  const options = 'A) The agent is on its way.\nB) It is lost.\nC) Nearly done.'
  const turn = 'Thought: t\nAction: craft stick'
  const content = book.fill(wordingPrompts.choose, { ...shared, turn, options })
  const said = seeds.map((seed) => say(content, 1, seed))
  for (const text of said) expect(text).toMatch(/^Reason: .+\.\nOption: [ABC]$/)
  expect(new Set(said.map((text) => text.at(-1))).size).toBe(3)
})

test('rewrites a turn in the first person, with the same action as often as it is skilled', () => {
  const turn =
    'Thought: Taking stock: The agent is on its way. Next comes stick.\nAction: craft 4 stick using 2 oak planks'
  const content = book.fill(wordingPrompts.rewrite, { ...shared, turn })
  const kept = (skill: number) =>
    seeds.filter((seed) => {
      const text = say(content, skill, seed)
      expect(text).toMatch(/^Thought: .*\bI am on its way\. Next comes stick\./)
      expect(text).not.toMatch(/the agent/i)
      return text.endsWith('\nAction: craft 4 stick using 2 oak planks')
    }).length
  expect(kept(1)).toBe(seeds.length)
  expect(kept(0)).toBe(0)
})
