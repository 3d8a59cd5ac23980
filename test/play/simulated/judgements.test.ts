import { describe, expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { judgeStepPrompt } from '../../../shared/data/datasets/annotators/judge-step-prompt.ts'
import { readActionJudgement } from '../../../shared/data/datasets/annotators/read-action-judgement.ts'
import { readAction } from '../../../shared/environments/simulated/policy.ts'
import { PromptBook } from '../../../shared/play/search/prompt-book.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'
import { environments, openTasks, transcriptOf } from './played-tasks.ts'

const book = new PromptBook()

function judgementOf(turns: readonly Message[], skill: number, seed = 0) {
  const shown = turns.map(({ role, content }) =>
    role === 'assistant' ? { role, content: `Action: ${readAction(content) ?? content}` } : { role, content },
  )
  const values = { transcript: transcriptOf(shown), turn: String((turns.length - 1) / 2) }
  const messages = [{ role: 'user' as const, content: book.fill(judgeStepPrompt, values) }]
  const answer = answerPrompt(messages, { skill, seed: 0 }, { seed, choice: 0 })
  expect(answer).toMatch(/^Reasons: .+\nJudgement: (Good|Bad|Uncertain)$/)
  return readActionJudgement(answer)
}

describe.each(Object.keys(environments) as (keyof typeof environments)[])('in %s', (name) => {
  test('the steps of a path without mistakes are good, and a refused one is bad', async () => {
    for (const { core, start } of await openTasks(name, 7, 3)) {
      const turns: Message[] = [{ role: 'user', content: start.observation }]
      let { state } = start
      for (let step = 0, isOver = false; step < 40 && !isOver; step += 1) {
        const refused = core.step(state, 'blow the house down')
        const blunder: Message[] = [
          { role: 'assistant', content: 'Thought: t\nAction: blow the house down' },
          { role: 'user', content: refused.observation },
        ]
        if (!refused.valid) expect(judgementOf([...turns, ...blunder], 1)).toBe('bad')
        const content = answerPrompt(turns, { skill: 1, seed: 1 }, { seed: step, choice: 0 })
        const next = core.step(state, readAction(content) ?? content)
        turns.push({ role: 'assistant', content }, { role: 'user', content: next.observation })
        if (next.valid && !(next.done && next.reward < 1)) expect(judgementOf(turns, 1)).toBe('good')
        state = next.state
        isOver = next.done
      }
    }
  })
})

test('without skill, a judge is wrong every now and then', async () => {
  const [opened] = await openTasks('textcraft', 7, 1)
  const turns: Message[] = [{ role: 'user', content: opened?.start.observation ?? '' }]
  const content = answerPrompt(turns, { skill: 1, seed: 1 }, { seed: 0, choice: 0 })
  const action = readAction(content) ?? ''
  const next = opened?.core.step(opened.start.state, action)
  turns.push({ role: 'assistant', content }, { role: 'user', content: next?.observation ?? '' })
  const said = Array.from({ length: 200 }, (_, seed) => judgementOf(turns, 0, seed))
  const wrong = said.filter((judgement) => judgement !== 'good').length
  expect(wrong).toBeGreaterThan(20)
  expect(wrong).toBeLessThan(120)
})

test('in an environment that no expert knows, only what changed nothing is bad', () => {
  const start: Message = { role: 'user', content: 'A hall with two doors.' }
  const go = (observation: string): Message[] => [
    { role: 'assistant', content: 'Action: go north' },
    { role: 'user', content: observation },
  ]
  expect(judgementOf([start, ...go('A garden.')], 1)).toBe('uncertain')
  expect(judgementOf([start, ...go('A hall with two doors.')], 1)).toBe('bad')
})
