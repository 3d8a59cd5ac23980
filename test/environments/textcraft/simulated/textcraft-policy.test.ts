import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import { readAction } from '../../../../shared/environments/simulated/policy.ts'
import { answerPrompt } from '../../../../shared/play/simulated/simulated-policy.ts'
import { playTextcraft, testTasks } from '../../../play/simulated/play-textcraft.ts'

const commands = `Crafting commands:
craft 1 ladder using 7 stick
craft 4 stick using 2 planks
craft 4 oak planks using 1 oak log
craft 8 blue stained glass using 8 glass, 1 blue dye
craft 1 oak boat using 5 oak planks

Goal: craft ladder.`

/** The action of a model that makes no mistakes, after these actions and observations. */
function rightAction(first: string, ...turns: [action: string, observation: string][]): string | null {
  const messages: Message[] = [{ role: 'user', content: first }]
  for (const [action, observation] of turns) {
    messages.push({ role: 'assistant', content: `Thought: so be it.\nAction: ${action}` })
    messages.push({ role: 'user', content: observation })
  }
  return readAction(answerPrompt(messages, { skill: 1, seed: 0 }, { seed: 0, choice: 0 }))
}

describe('the TextCraft policy without mistakes', () => {
  it('fetches what the whole plan needs, then crafts from the bottom up', () => {
    // A ladder needs 7 sticks: two times 4, of 4 planks in all, of one log.
    const turns: [string, string][] = [
      ['get 1 oak log', 'Got 1 oak log'],
      ['craft 4 oak planks using 1 oak log', 'Crafted 4 minecraft:oak_planks'],
      ['craft 4 stick using 2 oak planks', 'Crafted 4 minecraft:stick'],
      ['craft 4 stick using 2 oak planks', 'Crafted 4 minecraft:stick'],
      ['craft 1 ladder using 7 stick', 'Crafted 1 minecraft:ladder'],
    ]
    for (const [position, [action]] of turns.entries()) {
      expect(rightAction(commands, ...turns.slice(0, position))).toBe(action)
    }
  })

  it('fetches an ingredient that is only a part of the names of others', () => {
    const glass = commands.replace('craft ladder', 'craft blue stained glass')
    expect(rightAction(glass)).toBe('get 8 glass')
    expect(rightAction(glass, ['get 8 glass', 'Got 8 glass'])).toBe('get 1 blue dye')
  })

  it('believes what the inventory shows over what it remembers', () => {
    expect(rightAction(commands, ['inventory', 'Inventory: [stick] (7) '])).toBe(
      'craft 1 ladder using 7 stick',
    )
    const lost: [string, string] = ['inventory', 'Inventory: You are not carrying anything.']
    expect(rightAction(commands, ['get 1 oak log', 'Got 1 oak log'], lost)).toBe('get 1 oak log')
  })

  it('looks into its inventory when the turns it sees do not add up', () => {
    const crafted: [string, string] = ['craft 4 stick using 2 oak planks', 'Crafted 4 minecraft:stick']
    expect(rightAction(commands, crafted)).toBe('inventory')
    expect(rightAction(commands, crafted, ['inventory', 'Inventory: [stick] (4) '])).toBe('get 1 oak log')
    expect(rightAction(commands, ['get 1 oak log', '3 earlier turns are left out.'])).toBe('inventory')
  })

  it('plays the newest task of the prompt, not that of an example', () => {
    const example: Message[] = [
      { role: 'user', content: commands },
      { role: 'assistant', content: 'Action: get 1 oak log' },
      { role: 'user', content: 'Got 1 oak log' },
      { role: 'user', content: 'Crafting commands:\ncraft 1 torch using 1 coal\n\nGoal: craft torch.' },
    ]
    const text = answerPrompt(example, { skill: 1, seed: 0 }, { seed: 0, choice: 0 })
    expect(readAction(text)).toBe('get 1 coal')
  })

  it('tries another way when an ingredient cannot be fetched or used', () => {
    const smooth =
      'Crafting commands:\ncraft 1 post using 1 hard wood\ncraft 2 red hard wood using 1 red log\n\nGoal: craft post.'
    expect(rightAction(smooth)).toBe('get 1 hard wood')
    expect(rightAction(smooth, ['get 1 hard wood', 'Could not find hard wood'])).toBe('get 1 red log')
  })
})

describe('the TextCraft policy against the real environment', () => {
  it('solves every one of 60 test tasks within 20 steps at skill 1', () => {
    const unsolved = testTasks(60).filter((task) => !playTextcraft(task, { skill: 1 }).solved)
    expect(unsolved).toEqual([])
  })

  it('solves clearly fewer with less skill, and still some', () => {
    const solved = (skill: number) =>
      testTasks(60).filter((task) => playTextcraft(task, { skill }).solved).length
    const counts = [0.9, 0.6, 0.3].map(solved)
    expect(counts[1]).toBeLessThanOrEqual(56)
    expect(counts[1]).toBeGreaterThanOrEqual(30)
    expect(counts[2]).toBeLessThan(counts[1] ?? 0)
    expect(counts[2]).toBeGreaterThan(5)
    expect(solved(0)).toBeLessThanOrEqual(3)
  })

  it('gets by with a prompt from which older turns were cut', () => {
    const options = { skill: 1, steps: 60, window: 5 }
    const solved = testTasks(60).filter((task) => playTextcraft(task, options).solved)
    expect(solved.length).toBeGreaterThanOrEqual(54)
  })
})
