import { describe, expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { createRandom } from '../../../shared/core/random/random.ts'
import { learnactPrompts } from '../../../shared/play/methods/learnact/learnact-prompts.ts'
import { programPrompts } from '../../../shared/play/methods/prompts/program-prompts.ts'
import { showKnowledge } from '../../../shared/play/methods/prompts/show-knowledge.ts'
import { PromptBook } from '../../../shared/play/search/prompt-book.ts'
import { lookAt } from '../../../shared/play/simulated/players.ts'
import { withBlunder } from '../../../shared/play/simulated/questions/write-code.ts'
import { answerPrompt } from '../../../shared/play/simulated/simulated-policy.ts'
import { environments, type Opened, openTasks } from './played-tasks.ts'
import { codeIn, runProgram } from './run-program.ts'

const book = new PromptBook()
const names = Object.keys(environments) as (keyof typeof environments)[]

function say(messages: readonly Message[], skill: number, seed = 0): string {
  return answerPrompt(messages, { skill, seed: 0 }, { seed, choice: 0 })
}

function programPrompt({ guide, start }: Opened, functions = ''): Message[] {
  return [
    {
      role: 'system',
      content: book.fill(programPrompts.policy, { rules: guide.rules, functions, example: '' }),
    },
    { role: 'user', content: start.observation },
  ]
}

function createPrompt({ guide, start }: Opened): Message[] {
  const { introduction, create } = learnactPrompts
  return [
    { role: 'system', content: book.fill(introduction, { rules: guide.rules, example: '' }) },
    { role: 'user', content: book.fill(create, { observation: start.observation, request: '' }) },
  ]
}

const solvedBy = (opened: readonly Opened[], write: (each: Opened, at: number) => string) =>
  opened.filter((each, at) => runProgram(each.core, each.start.state, codeIn(write(each, at))).reward === 1)
    .length

describe.each(names)('in %s', (name) => {
  // Of what the shop has, the first three hits are not always the best.
  const least = name === 'webshop' ? 0.6 : 1

  test('programs and functions solve tasks as often as the skill says', async () => {
    const opened = await openTasks(name, 3, 20)
    const programs = (skill: number) => solvedBy(opened, (each, at) => say(programPrompt(each), skill, at))
    const functions = (skill: number) => solvedBy(opened, (each, at) => say(createPrompt(each), skill, at))
    const [never, sometimes, always] = [programs(0), programs(0.5), programs(1)]
    expect(always).toBeGreaterThanOrEqual(opened.length * least)
    expect(functions(1)).toBeGreaterThanOrEqual(opened.length * least)
    expect(never).toBeLessThan(opened.length / 2)
    expect(functions(0)).toBeLessThan(opened.length / 2)
    expect(sometimes).toBeGreaterThan(never)
    expect(sometimes).toBeLessThan(always)
  })

  test('a program is written again when asked, from the task and not from the error', async () => {
    const [opened] = (await openTasks(name, 3, 1)) as [Opened]
    const error = 'Unexpected token on line 3.'
    for (const [prompt, repair] of [
      [programPrompt(opened), programPrompts.repair],
      [createPrompt(opened), learnactPrompts.again],
    ] as const) {
      const again: Message[] = [
        ...prompt,
        { role: 'assistant', content: 'I would rather not.' },
        { role: 'user', content: book.fill(repair, { error }) },
      ]
      expect(codeIn(say(again, 1))).toBe(codeIn(say(prompt, 1)))
    }
  })

  test('what is defined already is called and not written again', async () => {
    const [opened] = (await openTasks(name, 3, 1)) as [Opened]
    const own = lookAt([{ role: 'user', content: opened.start.observation }])?.functions ?? []
    const shown = own.map((each) => ({
      ...each,
      parameters: [...each.parameters],
      description: 'Does more.',
      notes: [],
      usage: '',
    }))
    const { functions } = showKnowledge(book, { notes: [], actions: shown })
    const program = codeIn(say(programPrompt(opened, functions), 1))
    expect(program).not.toContain('function ')
    const code = [...own.map((each) => each.code), program].join('\n')
    expect(runProgram(opened.core, opened.start.state, code).reward).toBeGreaterThan(0.5)
    expect(runProgram(opened.core, opened.start.state, program).failure?.message).toContain('not defined')
  })

  test('each mistake in a function is one, and a revision mends it', async () => {
    const [opened] = (await openTasks(name, 3, 1)) as [Opened]
    const { observation } = opened.start
    const functions = lookAt([{ role: 'user', content: observation }])?.functions ?? []
    expect(functions.length).toBeGreaterThan(1)
    for (const each of functions) {
      for (const [right] of each.blunders)
        expect([each.name, each.code]).toEqual([each.name, expect.stringContaining(right)])
      const wrong = withBlunder(each, createRandom(1))
      expect(wrong).not.toBe(each.code)
      const revise = (code: string) => {
        const history = `--- Environment, start\n\n--- Agent, turn 1\nBegin a task\n--- Environment, turn 1\n${observation}`
        const slots = { history, call: `${each.name}("…")`, error: 'No.', trace: 'none' }
        return say(
          [{ role: 'user', content: book.fill(learnactPrompts.revise, { ...slots, code, name: each.name }) }],
          1,
        )
      }
      expect(revise(wrong)).toContain(`Decision: update ${each.name}\n`)
      expect(codeIn(revise(wrong))).toBe(each.code)
      expect(revise(each.code)).toMatch(new RegExp(`Decision: note ${each.name}\nNote: .{20,}`))
    }
  })

  test('functions are described, and shown in use, in the form asked for', async () => {
    const [opened] = (await openTasks(name, 3, 1)) as [Opened]
    const code = codeIn(say(createPrompt(opened), 1))
    const { observation } = opened.start
    const usage = say([{ role: 'user', content: book.fill(learnactPrompts.usage, { code, observation }) }], 1)
    expect(usage).toMatch(/^(Action: .+\nObservation: .+(\n|$))+$/)
    const [first] = lookAt([{ role: 'user', content: observation }])?.functions ?? []
    const slots = { code: first?.code ?? '', name: first?.name ?? '' }
    const description = say([{ role: 'user', content: book.fill(learnactPrompts.describe, slots) }], 1)
    expect(description).toMatch(new RegExp(`^Description: ${first?.name} .{40,}$`))
    for (const parameter of first?.parameters ?? []) expect(description).toContain(`${parameter} is `)
  })
})

test('of an environment that it does not know it writes a program that has a look', () => {
  const system = book.fill(programPrompts.policy, {
    rules: 'You are on the moon.',
    functions: '',
    example: '',
  })
  const prompt: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: 'It is dark.' },
  ]
  const step = () => ({ state: {}, observation: 'No.', reward: 0, done: false, valid: false, progress: 0 })
  const { actions, failure } = runProgram({ step }, {}, codeIn(say(prompt, 1)))
  expect([actions, failure]).toEqual([['look around', 'inventory'], null])
})
