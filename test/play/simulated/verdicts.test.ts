import { describe, expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { readAction } from '../../../shared/environments/simulated/policy.ts'
import { PromptBook } from '../../../shared/play/search/prompt-book.ts'
import { debatePrompts, judgePrompts } from '../../../shared/play/search/values/value-prompts.ts'
import { simulatedScore } from '../../../shared/play/simulated/classification.ts'
import { gradeState } from '../../../shared/play/simulated/questions/verdict.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'
import { environments, type Opened, openTasks, transcriptOf } from './played-tasks.ts'

const book = new PromptBook()

/** A task played with some skill; every prefix of it ends with what the environment answered. */
function play({ core, start }: Opened, skill: number) {
  const messages: Message[] = [{ role: 'user', content: start.observation }]
  const steps: { turns: Message[]; valid: boolean; reward: number; done: boolean }[] = []
  let { state } = start
  for (let step = 0; step < 40; step += 1) {
    const content = answerPrompt(messages, { skill, seed: 1 }, { seed: step, choice: 0 })
    const {
      done,
      observation,
      reward,
      state: after,
      valid,
    } = core.step(state, readAction(content) ?? content)
    messages.push({ role: 'assistant', content }, { role: 'user', content: observation })
    steps.push({ turns: [...messages], valid, reward, done })
    state = after
    if (done) break
  }
  return steps
}

function verdictOf(turns: readonly Message[], skill: number, seed = 0): string {
  const question = book.fill(judgePrompts.question, {
    transcript: transcriptOf(turns),
    checks: '',
    advice: '',
  })
  return letterIn(
    answerPrompt([{ role: 'user', content: question }], { skill, seed: 0 }, { seed, choice: 0 }),
  )
}

function letterIn(answer: string): string {
  expect(answer).toMatch(/^Thoughts: .+\nStatus code: [A-E]$/)
  return answer.slice(-1)
}

describe.each(Object.keys(environments) as (keyof typeof environments)[])('in %s', (name) => {
  test('a path without mistakes is on its way, then one action away, then done', async () => {
    for (const opened of await openTasks(name, 7, 4)) {
      const steps = play(opened, 1)
      const letters = steps.filter(({ valid }) => valid).map(({ turns }) => verdictOf(turns, 1))
      expect(gradeState([{ role: 'user', content: opened.start.observation }])).toBe('C')
      expect(letters.at(-1)).toBe(steps.at(-1)?.reward === 1 ? 'A' : 'E')
      expect(letters.at(-2)).toBe('B')
      expect(new Set(letters.slice(0, -2))).toEqual(new Set(letters.length > 2 ? ['C'] : []))
    }
  })

  test('an action that was refused counts as no progress, and some that were possible as no help', async () => {
    const letters: string[] = []
    for (const opened of await openTasks(name, 7, 4)) {
      for (const { turns, valid, done } of play(opened, 0.4)) {
        const letter = verdictOf(turns, 1)
        if (!valid) expect([turns.at(-2)?.content, letter]).toEqual([turns.at(-2)?.content, 'E'])
        else if (!done) letters.push(letter)
      }
    }
    expect(letters).not.toContain('A')
    expect(letters.filter((letter) => letter === 'D').length).toBeGreaterThan(letters.length / 20)
    expect(letters.filter((letter) => letter === 'C').length).toBeGreaterThan(letters.length / 20)
  })
})

test('a judge is right as often as its skill says, and else a letter off, whatever debaters say', async () => {
  const [opened] = (await openTasks('textcraft', 7, 2)).slice(1) as [Opened]
  const { turns } = play(opened, 1)[1] as { turns: Message[] }
  const verdicts = Array.from({ length: 600 }, (_none, seed) => verdictOf(turns, 0.5, seed))
  const right = verdicts.filter((letter) => letter === 'C').length / verdicts.length
  expect(right).toBeGreaterThan(0.7)
  expect(right).toBeLessThan(0.8)
  expect(new Set(verdicts)).toEqual(new Set(['B', 'C', 'D']))

  const debate = (first: string) => {
    const slots = { transcript: transcriptOf(turns), advice: '', first, second: 'It is a mistake.' }
    const content = book.fill(debatePrompts.verdict, slots)
    return letterIn(answerPrompt([{ role: 'user', content }], { skill: 1, seed: 0 }, { seed: 0, choice: 0 }))
  }
  expect([debate('All is well.'), debate('All is lost.')]).toEqual(['C', 'C'])
})

test('turns that are left out are no hindrance', async () => {
  const [opened] = (await openTasks('pddl', 7, 1)) as [Opened]
  const { turns } = play(opened, 1).at(-2) as { turns: Message[] }
  const shown = transcriptOf(turns).replace(
    /--- Agent, turn 1\n[\s\S]*?(?=--- Agent, turn 4\n)/,
    '--- 3 turns are left out here\n',
  )
  expect(shown).toContain('left out')
  const content = book.fill(judgePrompts.question, { transcript: shown, checks: '', advice: '' })
  expect(answerPrompt([{ role: 'user', content }], { skill: 1, seed: 0 }, { seed: 0, choice: 0 })).toMatch(
    /B$/,
  )
})

test('the value model gives the value of its verdict, of transcripts and of conversations alike', async () => {
  const [opened] = (await openTasks('textcraft', 7, 1)) as [Opened]
  const steps = play(opened, 1)
  const score = (messages: readonly Message[]) => simulatedScore(messages, { skill: 1, seed: 0 })
  const values = steps.map(({ turns }) => score(turns))
  expect(values.slice(-2)).toEqual([0.7, 1])
  expect(new Set(values.slice(0, -2))).toEqual(new Set([0.5]))
  expect(steps.map(({ turns }) => score([{ role: 'user', content: transcriptOf(turns) }]))).toEqual(values)
})

test('a judge of an environment that it does not know still answers in the form', () => {
  const turns: Message[] = [
    { role: 'user', content: 'You are on the moon.' },
    { role: 'assistant', content: 'Action: jump' },
    { role: 'user', content: 'You jump high.' },
  ]
  expect(verdictOf(turns, 1)).toMatch(/[CD]/)
})
