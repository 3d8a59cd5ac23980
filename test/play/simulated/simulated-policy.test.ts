import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { readAction } from '../../../shared/environments/simulated/policy.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'
import { testTasks } from './play-textcraft.ts'

const prompt = (task: string): Message[] => [
  { role: 'system', content: 'You play a crafting game.' },
  { role: 'user', content: textcraft.reset(task, 0).observation },
]
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const task = fc.constantFrom(...testTasks(40))
const skills = fc.double({ min: 0, max: 1, noNaN: true })

describe('the simulated model', () => {
  it('says the same for the same settings, prompt and sample', () => {
    fc.assert(
      fc.property(task, skills, seeds, seeds, fc.nat(5), (name, skill, seed, sample, choice) => {
        const first = answerPrompt(prompt(name), { skill, seed }, { seed: sample, choice })
        const again = answerPrompt(structuredClone(prompt(name)), { skill, seed }, { seed: sample, choice })
        expect(again).toBe(first)
      }),
    )
  })

  it.each(['sample', 'choice', 'endpoint'] as const)('varies with the seed of the %s', (what) => {
    fc.assert(
      fc.property(task, seeds, (name, start) => {
        const texts = Array.from({ length: 12 }, (_, position) => {
          const number = (kind: string) => (kind === what ? (start + position) % 2 ** 31 : 1)
          const settings = { skill: 0.5, seed: number('endpoint') }
          return answerPrompt(prompt(name), settings, { seed: number('sample'), choice: number('choice') })
        })
        expect(new Set(texts).size).toBeGreaterThan(3)
      }),
      { numRuns: 40 },
    )
  })

  it('is right as often as its skill says, whatever the sample before was', () => {
    const messages = prompt(testTasks(1)[0] ?? '')
    const right = readAction(answerPrompt(messages, { skill: 1, seed: 0 }, { seed: 0, choice: 0 }))
    const isRight = Array.from({ length: 4000 }, (_, seed) => {
      return readAction(answerPrompt(messages, { skill: 0.7, seed: 0 }, { seed, choice: 0 })) === right
    })
    const share = (list: boolean[]) => list.filter(Boolean).length / list.length
    const afterRight = isRight.filter((_, position) => position > 0 && isRight[position - 1])
    const afterWrong = isRight.filter((_, position) => position > 0 && !isRight[position - 1])
    expect(share(isRight)).toBeGreaterThan(0.67)
    expect(share(isRight)).toBeLessThan(0.73)
    expect(Math.abs(share(afterRight) - share(afterWrong))).toBeLessThan(0.06)
  })

  it('makes mistakes of many kinds, some without any action', () => {
    const messages = prompt(testTasks(3)[2] ?? '')
    const wrong = Array.from({ length: 200 }, (_, seed) =>
      readAction(answerPrompt(messages, { skill: 0, seed: 0 }, { seed, choice: 0 })),
    )
    expect(wrong).toContain(null)
    expect(wrong).toContain('inventory')
    expect(new Set(wrong).size).toBeGreaterThan(5)
  })

  it('chooses among the actions that a prompt of any other kind offers', () => {
    const offered = (content: string) =>
      Array.from({ length: 60 }, (_, seed) =>
        readAction(answerPrompt([{ role: 'user', content }], { skill: 0.5, seed: 0 }, { seed, choice: 0 })),
      )
    const inLine = 'You are in a room.\nAVAILABLE ACTIONS: open door, take lamp 1, look'
    expect(new Set(offered(inLine))).toEqual(new Set(['open door', 'take lamp 1', 'look']))
    const listed = 'Valid actions:\n- click[Buy Now]\n2. search[shoes]\n\nWhat now?'
    expect(new Set(offered(listed))).toEqual(new Set(['click[Buy Now]', 'search[shoes]']))
  })

  it('says something short where there is nothing to choose', () => {
    const messages: Message[] = [{ role: 'user', content: 'Why is the sky blue?' }]
    const text = answerPrompt(messages, { skill: 1, seed: 0 }, { seed: 0, choice: 0 })
    expect(text.length).toBeGreaterThan(0)
    expect(readAction(text)).toBeNull()
  })
})
