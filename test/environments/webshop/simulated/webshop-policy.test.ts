import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../shared/core/contracts/message.ts'
import { createRandom } from '../../../../shared/core/random/random.ts'
import { readAction } from '../../../../shared/environments/simulated/policy.ts'
import { webshopDefinition } from '../../../../shared/environments/webshop/definition.ts'
import { webshopPolicy } from '../../../../shared/environments/webshop/simulated/webshop-policy.ts'

const environment = await webshopDefinition.open(null)
if (!('open' in environment)) throw new Error('webshop is played in process.')
const tasks = environment.tasks().filter(({ split }) => split === 'test')
const core = await environment.open(tasks[0]?.id ?? '')

/** Lets the policy play a task, with a prompt that keeps the first observation and the newest `window` turns; its reward. */
function play(position: number, skill: number, window = 10): number {
  const task = tasks[position]?.id ?? ''
  let { state, observation } = core.reset(task, 0)
  const start: Message[] = [
    {
      role: 'system',
      content: environment.describe({ id: task, split: '', type: '', description: '' }).rules,
    },
    { role: 'user', content: observation },
  ]
  const turns: Message[] = []
  for (let step = 0; step < environment.default_max_steps; step += 1) {
    const messages = [...start, ...turns.slice(Math.max(0, turns.length - 2 * window))]
    const content = webshopPolicy.answer(messages, skill, createRandom(1000 * position + step)) ?? ''
    const result = core.step(state, readAction(content) ?? content)
    if (result.done) return result.reward
    state = result.state
    observation = result.observation
    turns.push({ role: 'assistant', content }, { role: 'user', content: observation })
  }
  return 0
}

const mean = (skill: number, window?: number) => {
  const rewards = Array.from({ length: 100 }, (_, position) => play(position, skill, window))
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
}

describe('the WebShop policy against the real environment', () => {
  it('earns most of the reward without mistakes, and less with less skill', () => {
    const [best, middle, worst] = [mean(1), mean(0.6), mean(0)]
    expect(best).toBeGreaterThan(0.85)
    expect(middle).toBeLessThan(best - 0.1)
    expect(middle).toBeGreaterThan(0.3)
    expect(worst).toBeLessThan(0.15)
  })

  it('gets by with a prompt from which older turns were cut', () => {
    expect(mean(1, 4)).toBeGreaterThan(0.8)
  })
})

describe('the WebShop policy without mistakes', () => {
  const wish = 'i need soft socks in wine red, and price lower than 20.00 dollars'
  const first: Message = { role: 'user', content: `WebShop [SEP] Instruction: [SEP] ${wish} [SEP] Search` }
  const answer = (...messages: Message[]) => {
    const text = webshopPolicy.answer(messages, 1, createRandom(1))
    return text === null ? null : readAction(text)
  }
  const turn = (action: string, content: string): Message[] => [
    { role: 'assistant', content: `Thought: so be it.\nAction: ${action}` },
    {
      role: 'user',
      content: `Observation:\nInstruction: [SEP] ${wish} [SEP] Back to Search [SEP] ${content}`,
    },
  ]
  const results = turn(
    'search[socks]',
    'Page 1 (Total results: 2) [SEP] B000000001 [SEP] Soft Wine Socks [SEP] $30.0 [SEP] B000000002 [SEP] Soft Socks [SEP] $12.5 to $15.0',
  )
  const item = (action: string) =>
    turn(
      action,
      '< Prev [SEP] color [SEP] red [SEP] wine red [SEP] Soft Socks [SEP] Price: $12.5 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews [SEP] Buy Now',
    )

  it('searches for what the instruction is about', () => {
    expect(answer(first)).toBe('search[soft socks wine red]')
  })

  it('opens what fits and can be paid, chooses what is named, and buys', () => {
    expect(answer(first, ...results)).toBe('click[B000000002]')
    expect(answer(first, ...results, ...item('click[B000000002]'))).toBe('click[wine red]')
    const chosen = [...item('click[B000000002]'), ...item('click[wine red]')]
    expect(answer(first, ...results, ...chosen)).toBe('click[Buy Now]')
  })

  it('leaves prompts of other environments alone', () => {
    expect(answer({ role: 'user', content: 'Crafting commands:\n\nGoal: craft stick.' })).toBeNull()
    expect(answer({ role: 'system', content: 'You shop. "click[Back to Search]" goes back.' })).toBeNull()
  })
})
