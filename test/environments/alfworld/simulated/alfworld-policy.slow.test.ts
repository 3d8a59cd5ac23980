import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import { createRandom } from '../../../../shared/core/random/random.ts'
import { alfworldDefinition } from '../../../../shared/environments/alfworld/definition.ts'
import { loadGame } from '../../../../shared/environments/alfworld/game.ts'
import { alfworldGuide } from '../../../../shared/environments/alfworld/guide.ts'
import { makeGame } from '../../../../shared/environments/alfworld/household/make-game.ts'
import { createHouseholdTasks } from '../../../../shared/environments/alfworld/household/tasks.ts'
import { alfworldPolicy } from '../../../../shared/environments/alfworld/simulated/alfworld-policy.ts'
import { isPure, type PureCore, type PureEnvironment } from '../../../../shared/environments/environment.ts'
import { readAction } from '../../../../shared/environments/simulated/policy.ts'

const environment = await openPure()
const tasks = environment.tasks().filter(({ split }) => split === 'test')
const steps = environment.default_max_steps

async function openPure(): Promise<PureEnvironment> {
  const opened = await alfworldDefinition.open(null)
  if (!isPure(opened)) throw new Error('ALFWorld is pure.')
  return opened
}

/** Plays from the rules and the example that agents get, and says whether the goal was reached. */
function solves(
  core: Pick<PureCore, 'step'>,
  start: ReturnType<PureCore['reset']>,
  skill: number,
  verb: 'move' | 'put' = 'move',
) {
  const { rules, example } = alfworldGuide(verb)
  const shown = example?.turns.map(({ action, observation }) => `Action: ${action}\n${observation}`) ?? []
  const messages: Message[] = [
    { role: 'system', content: [rules, example?.observation, ...shown].join('\n\n') },
    { role: 'user', content: start.observation },
  ]
  let { state } = start
  for (let step = 0; step < steps; step += 1) {
    const content = alfworldPolicy.answer(messages, skill, createRandom(step)) ?? ''
    const result = core.step(state, readAction(content) ?? content)
    if (result.done) return true
    state = result.state
    messages.push({ role: 'assistant', content }, { role: 'user', content: result.observation })
  }
  return false
}

async function countSolved(skill: number): Promise<number> {
  let solved = 0
  for (const { id } of tasks) {
    const core = await environment.open(id)
    if (solves(core, core.reset(id, 0), skill)) solved += 1
  }
  return solved
}

const kitchen = `You are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, a countertop 1, a fridge 1, a microwave 1, and a sinkbasin 1.

Your task is to: clean some mug and put it in cabinet.`

/** The action of a model that makes no mistakes, after these actions and observations. */
function rightAction(...turns: [action: string, observation: string][]): string | null {
  const messages: Message[] = [{ role: 'user', content: kitchen }]
  for (const [action, observation] of turns) {
    messages.push({ role: 'assistant', content: `Thought: so be it.\nAction: ${action}` })
    messages.push({ role: 'user', content: observation })
  }
  return readAction(alfworldPolicy.answer(messages, 1, createRandom(0)) ?? '')
}

describe('the ALFWorld policy', () => {
  it('solves every test task without mistakes, and fewer the more mistakes it makes', async () => {
    const [perfect, good, weak] = [await countSolved(1), await countSolved(0.6), await countSolved(0.3)]
    expect(perfect).toBe(tasks.length)
    expect(good).toBeLessThan(perfect)
    expect(weak).toBeLessThan(good)
  })

  it('says put … in/on where the rules do', () => {
    for (const task of createHouseholdTasks().slice(0, 12)) {
      const game = loadGame(makeGame(task, 'put'), task.id)
      expect(solves(game, game.reset(), 1, 'put')).toBe(true)
    }
  })

  it('searches, takes, treats and puts away', () => {
    const turns: [string, string][] = [
      [
        'go to countertop 1',
        'You arrive at countertop 1. On the countertop 1, you see a knife 1, and a mug 1.',
      ],
      ['take mug 1 from countertop 1', 'You pick up the mug 1 from the countertop 1.'],
      ['go to sinkbasin 1', 'You arrive at sinkbasin 1. On the sinkbasin 1, you see nothing.'],
      ['clean mug 1 with sinkbasin 1', 'You clean the mug 1 using the sinkbasin 1.'],
      ['go to cabinet 2', 'You arrive at cabinet 2. The cabinet 2 is closed.'],
      ['open cabinet 2', 'You open the cabinet 2. The cabinet 2 is open. In it, you see a mug 2.'],
      ['move mug 1 to cabinet 2', 'You move the mug 1 to the cabinet 2.'],
    ]
    for (const [position, [action]] of turns.entries()) {
      expect(rightAction(...turns.slice(0, position))).toBe(action)
    }
  })

  it('looks at what is within reach where it cannot go', () => {
    const blocked: [string, string][] = [
      ['go to countertop 1', 'You arrive at countertop 1. On the countertop 1, you see nothing.'],
      ['go to fridge 1', 'Nothing happens.'],
    ]
    expect(rightAction(...blocked)).toBe('examine fridge 1')
    expect(rightAction(...blocked, ['examine fridge 1', 'The fridge 1 is closed.'])).toBe('open fridge 1')
  })

  it('asks what it holds when earlier turns were cut, and puts away what it does not need', () => {
    const cut: [string, string] = ['go to countertop 1', '3 earlier turns are left out.']
    expect(rightAction(cut)).toBe('inventory')
    expect(rightAction(cut, ['inventory', 'You are carrying: a knife 1.'])).toBe(
      'move knife 1 to countertop 1',
    )
  })

  it('answers nothing to prompts of other environments', () => {
    const messages: Message[] = [{ role: 'user', content: 'Crafting commands:\n\nGoal: craft stick.' }]
    expect(alfworldPolicy.answer(messages, 1, createRandom(0))).toBeNull()
  })
})
