import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { createRandom } from '../../../shared/core/random/random.ts'
import type { ExpertFunction } from '../../../shared/environments/simulated/expert.ts'
import { readAction } from '../../../shared/environments/simulated/policy.ts'
import { actPrompt } from '../../../shared/play/methods/prompts/act-prompt.ts'
import { renderAgentPrompt } from '../../../shared/play/methods/prompts/agent-prompt.ts'
import { showKnowledge } from '../../../shared/play/methods/prompts/show-knowledge.ts'
import { readCall } from '../../../shared/play/sandbox/read-call.ts'
import { PromptBook } from '../../../shared/play/search/prompt-book.ts'
import { lookAt } from '../../../shared/play/simulated/players.ts'
import { withBlunder } from '../../../shared/play/simulated/questions/write-code.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'
import { environments, type Opened, openTasks } from './played-tasks.ts'
import { runProgram } from './run-program.ts'

const book = new PromptBook()
const names = Object.keys(environments) as (keyof typeof environments)[]

function functionsFor({ start }: Opened): readonly ExpertFunction[] {
  return lookAt([{ role: 'user', content: start.observation }])?.functions ?? []
}

function isCall(action: string): boolean {
  return /^\w+\(.*\)$/.test(action)
}

/** Plays a task with functions at hand, each call on a fork of the state. */
function play({ core, guide, start }: Opened, functions: readonly ExpertFunction[]) {
  const shown = functions.map((each) => ({
    ...each,
    parameters: [...each.parameters],
    description: 'Does more.',
    notes: [],
    usage: '',
  }))
  const knowledge = showKnowledge(book, { notes: [], actions: shown })
  const system = renderAgentPrompt(actPrompt, book, guide, knowledge)
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: start.observation },
  ]
  const taken: string[] = []
  let state: JsonObject = start.state
  for (let step = 0; step < 40; step += 1) {
    const content = answerPrompt(messages, { skill: 1, seed: 0 }, { seed: 0, choice: 0 })
    const action = readAction(content) ?? content
    taken.push(action)
    const call = readCall(
      action,
      functions.map(({ name }) => name),
    )
    let observation: string
    if (call === null) {
      const result = core.step(state, action)
      if (result.done) return { reward: result.reward, taken }
      ;({ state, observation } = result)
    } else {
      const code = [...functions.map((each) => each.code), call.code].join('\n')
      const run = runProgram(core, state, code)
      if (run.reward > 0) return { reward: run.reward, taken }
      if (run.failure === null) state = run.state
      observation =
        run.failure === null
          ? run.observations.join('\n')
          : `The call failed and changed nothing: ${run.failure.message}`
    }
    messages.push({ role: 'assistant', content }, { role: 'user', content: observation })
  }
  return { reward: 0, taken }
}

const total = (plays: readonly { taken: readonly string[] }[]) =>
  plays.reduce((sum, { taken }) => sum + taken.length, 0)

describe.each(names)('in %s', (name) => {
  test('functions that it knows take fewer steps to the same end', async () => {
    const opened = await openTasks(name, 3, 16)
    const plain = opened.map((each) => play(each, []))
    const helped = opened.map((each) => play(each, functionsFor(each)))
    expect(plain.some(({ taken }) => taken.some(isCall))).toBe(false)
    const rewards = (plays: typeof plain) => plays.reduce((sum, { reward }) => sum + reward, 0)
    expect(rewards(helped)).toBeGreaterThanOrEqual(rewards(plain))
    expect(total(helped)).toBeLessThan(total(plain) * 0.75)
  })

  test('where a function fails, it goes on without it', async () => {
    const opened = await openTasks(name, 3, 8)
    const spoiled = (each: Opened) =>
      functionsFor(each).map((own) => ({ ...own, code: withBlunder(own, createRandom(7)) }))
    const plays = opened.map((each) => play(each, spoiled(each)))
    const solved = plays.filter(({ reward }) => reward === 1).length
    expect(plays.some(({ taken }) => taken.some(isCall))).toBe(true)
    expect(solved).toBeGreaterThan(opened.length / 2)
  })

  test('functions of others are not called', async () => {
    const opened = await openTasks(name, 3, 3)
    const renamed = (each: Opened) => functionsFor(each).map((own) => ({ ...own, name: `${own.name}Twice` }))
    const changed = (each: Opened) =>
      functionsFor(each).map((own) => ({ ...own, parameters: ['everything'] }))
    for (const each of opened) {
      for (const functions of [renamed(each), changed(each)]) {
        const own = functions.filter(
          ({ parameters, name: each }) => parameters.length > 1 || each.endsWith('Twice'),
        )
        expect(play(each, own).taken.filter(isCall)).toEqual([])
      }
    }
  })
})
