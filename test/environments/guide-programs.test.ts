import { describe, expect, test } from 'vitest'
import { agentgymKinds } from '../../shared/environments/agentgym/agentgym-kinds.ts'
import { alfworldGuide } from '../../shared/environments/alfworld/guide.ts'
import type { EnvironmentGuide } from '../../shared/environments/environment.ts'
import { mannerOf } from '../../shared/environments/pddl/agentboard/agentboard-core.ts'
import { agentboardGuide } from '../../shared/environments/pddl/agentboard/agentboard-guide.ts'
import { createCore } from '../../shared/environments/pddl/core.ts'
import { robotGuide } from '../../shared/environments/pddl/guide.ts'
import { robotDomains } from '../../shared/environments/pddl/robot-domains.ts'
import { parseDomain } from '../../shared/environments/planning/parse-domain.ts'
import { createPlanningTask } from '../../shared/environments/planning/planning-task.ts'
import { scienceworldGuide } from '../../shared/environments/scienceworld/guide.ts'
import { textcraftGuide } from '../../shared/environments/textcraft/guide.ts'
import { textcraft } from '../../shared/environments/textcraft/textcraft.ts'
import { webshopGuide } from '../../shared/environments/webshop/guide.ts'
import type { ActAnswer } from '../../shared/play/sandbox/program.ts'
import { openHere } from '../play/sandbox/run-here.ts'

const sandbox = await openHere()

const guides: [string, EnvironmentGuide][] = [
  ['webshop', webshopGuide],
  ['alfworld', alfworldGuide('move')],
  ['alfworld of older games', alfworldGuide('put')],
  ['scienceworld', scienceworldGuide(false)],
  ...robotDomains.map((domain): [string, EnvironmentGuide] => [domain.name, robotGuide(domain)]),
  ...robotDomains.map((domain): [string, EnvironmentGuide] => {
    const parsed = parseDomain(domain.text)
    const guide = agentboardGuide(parsed, domain, mannerOf(parsed, 'full'))
    return [`${domain.name} in AgentBoard’s language`, guide]
  }),
]

/** Runs a program to its end, with a world that answers each action. */
function run(code: string, answer: (action: string, at: number) => ActAnswer): string[] {
  const answers: ActAnswer[] = []
  const actions: string[] = []
  for (;;) {
    const stands = sandbox.run({ code, seed: 0 }, answers)
    if (stands.type !== 'acts') {
      expect(stands).toEqual({ type: 'ended', printed: [] })
      return actions
    }
    answers.push(answer(stands.action, actions.length))
    actions.push(stands.action)
  }
}

describe('the program of a guide', () => {
  test.each(guides)('does in %s what the example does, turn by turn', (_name, { example, program }) => {
    const turns = example?.turns ?? []
    const actions = run(program ?? '', (_action, at) => ({
      observation: turns[at]?.observation ?? 'No.',
      valid: at < turns.length,
    }))
    expect(actions).toEqual(turns.map(({ action }) => action))
  })

  test.each(robotDomains)('reaches the goal of the example in $name', (domain) => {
    const parsed = parseDomain(domain.text)
    const task = createPlanningTask(parsed, domain.example.problem, { distinctArguments: true })
    const core = createCore('example', task, domain.language)
    let { state } = core.reset('example', 0)
    let isDone = false
    run(domain.example.program, (action) => {
      const result = core.step(state, action)
      state = result.state
      isDone = result.done
      return result
    })
    expect(isDone).toBe(true)
  })

  test('crafts the campfire of the example', () => {
    let state = { goal: 'minecraft:campfire', inventory: {} }
    let earned = 0
    run(textcraftGuide.program ?? '', (action) => {
      const result = textcraft.step(state, action)
      state = result.state as typeof state
      earned = result.reward
      return result
    })
    expect(earned).toBe(1)
  })

  test('is there on AgentGym servers for every game that has an example', () => {
    const without = Object.values(agentgymKinds)
      .map(({ guide }) => guide)
      .filter(({ example, program }) => example && !program)
    expect(without).toEqual([])
  })
})

test('the example shown in TextCraft is answered as it says, and solves its task', () => {
  let state = { goal: 'minecraft:campfire', inventory: {} }
  for (const { action, observation } of textcraftGuide.example?.turns ?? []) {
    const result = textcraft.step(state, action)
    state = result.state as typeof state
    expect([action, result.observation]).toEqual([action, observation])
    if (action.startsWith('craft 1 campfire')) expect(result.done).toBe(true)
  }
})
