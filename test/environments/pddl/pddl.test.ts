import { describe, expect, test } from 'vitest'
import { digestText } from '../../../shared/core/random/random.ts'
import type { PddlState } from '../../../shared/environments/pddl/core.ts'
import { pddlDefinition } from '../../../shared/environments/pddl/definition.ts'
import { pddl, pddlMaxSteps } from '../../../shared/environments/pddl/pddl.ts'

const types = ['barman', 'gripper', 'blockworld', 'tyreworld']

/** Plays the example of a domain's guide, whose observations come from the rules. */
const exampleOf = (type: string) => {
  const task = pddl.tasks().find((each) => each.type === type)
  if (task === undefined) throw new Error(`no task of ${type}`)
  return pddl.describe(task).example
}

const open = async (id: string) => {
  const core = await pddl.open(id)
  const { state, observation } = core.reset(id, 0)
  const play = (...actions: string[]) => {
    let current = state
    return actions.map((action) => {
      const result = core.step(current, action)
      current = result.state
      return result
    })
  }
  return { core, state, observation, play }
}

describe('the tasks', () => {
  test('are as many as the benchmark has for testing, and more for training', () => {
    const count = (split: string) =>
      types.map((type) => pddl.tasks().filter((task) => task.type === type && task.split === split).length)
    expect(count('test')).toEqual([20, 20, 10, 10])
    expect(count('train')).toEqual([40, 40, 40, 40])
  })

  test('have ids of their own, and goals that no other task and no example has', () => {
    const tasks = pddl.tasks()
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
    const goals = tasks.map(({ type, description }) => {
      const [, text = ''] = /^\w+: (.*?)\./.exec(description) ?? []
      return `${type}: ${text.split('; ').sort().join('; ')}`
    })
    expect(new Set(goals).size).toBe(tasks.length)
  })

  test('are the same in every process: results refer to them', async () => {
    let digest = 0
    for (const { id, min_steps } of pddl.tasks()) {
      const { observation } = await open(id)
      digest = digestText(`${id} ${min_steps} ${observation}`, digest)
    }
    expect(digest).toMatchInlineSnapshot(`4100094772`)
  })

  test('say when they cannot be done within an episode, which is so for a few', () => {
    const tooLong = pddl.tasks().filter(({ min_steps = 0 }) => min_steps > pddlMaxSteps)
    const inTest = tooLong.filter(({ split }) => split === 'test')
    expect(inTest.length).toBeGreaterThan(0)
    expect(inTest.length).toBeLessThanOrEqual(5)
    for (const { description } of tooLong) expect(description).toContain('more than the 30 of an episode')
    const others = pddl.tasks().filter((task) => !tooLong.includes(task))
    for (const { description } of others) expect(description).not.toContain('more than')
  })

  test('that do not exist are refused', async () => {
    await expect(pddl.open('blockworld-999')).rejects.toThrow('pddl has no task "blockworld-999"')
    const { core } = await open('blockworld-000')
    expect(() => core.reset('blockworld-001', 0)).toThrow('of the task "blockworld-000"')
  })
})

describe('the guides', () => {
  test.each(types)('show a solved example of %s, with every action possible', (type) => {
    const example = exampleOf(type)
    expect(example?.turns.at(-1)?.observation).toContain('The goal is reached.')
    for (const { observation } of example?.turns ?? []) expect(observation).not.toContain('nothing')
    expect(example?.observation).toContain('Goal: ')
  })

  test.each(types)('name every form in which valid actions of %s are written', async (type) => {
    const task = pddl.tasks().find((each) => each.type === type)
    const { core, state } = await open(task?.id ?? '')
    const { rules } = pddl.describe(task as NonNullable<typeof task>)
    for (const action of core.validActions?.(state) ?? [])
      expect(rules).toContain(`"${action.split(' ')[0]} `)
  })
})

describe('observations', () => {
  test('first show objects, what never changes, the goal and the state', async () => {
    const { observation } = await open('gripper-004')
    expect(observation).toMatchInlineSnapshot(`
      "Objects: ball: ball1, ball2, ball3, ball4; gripper: left, right; room: rooma, roomb.
      Goal: ball2 is at roomb; ball4 is at roomb; ball1 is at roomb; ball3 is at roomb.
      State: The robot is at roomb. Ball1 is at rooma. Ball2 is at rooma. Ball3 is at rooma. Ball4 is at rooma. Gripper left is free. Gripper right is free."
    `)
  })

  test('then show all that can change', async () => {
    const { core, state, play } = await open('gripper-004')
    const [action = ''] = core.validActions?.(state) ?? []
    const [moved] = play(action)
    expect([action, moved?.observation]).toMatchInlineSnapshot(`
      [
        "move from roomb to rooma",
        "The robot is at rooma. Ball1 is at rooma. Ball2 is at rooma. Ball3 is at rooma. Ball4 is at rooma. Gripper left is free. Gripper right is free.",
      ]
    `)
  })

  test('say what a barman holds, and give each predicate its own sentence', () => {
    const [first, second] = exampleOf('barman')?.turns ?? []
    expect(first?.observation).toContain('Hand left holds shot2.')
    expect(second?.observation).toContain('Shot2 was used for ingredient1. Shot2 contains ingredient1.')
  })

  test('"look around" repeats the first, and changes nothing', async () => {
    const { observation, state, play } = await open('tyreworld-001')
    const [looked] = play('Look around.')
    expect(looked).toEqual({ state, observation, reward: 0, done: false, valid: true, progress: 0 })
    expect(looked?.state).toBe(state)
  })

  test('"check valid actions" lists them', async () => {
    const { core, state, play } = await open('barman-001')
    const [checked] = play('check valid actions')
    expect(checked?.observation).toBe(`Valid actions:\n${core.validActions?.(state).join('\n')}`)
    expect(checked?.valid).toBe(true)
  })
})

describe('actions', () => {
  test.each([
    'pick up ball4 at rooma with left',
    'Pick  up ball4 at rooma with left.',
    '(pick ball4 rooma left)',
    'pick ball4 rooma left',
    ' ( PICK BALL4 ROOMA LEFT ) ',
  ])('can be written as %j', async (action) => {
    const { core, state } = await open('gripper-000')
    const held = (result: { observation: string }) => result.observation.includes('Gripper left holds ball4.')
    const ball = 'ball4'
    const room =
      new RegExp(`${ball} is at (room.)`, 'i').exec(core.step(state, 'look around').observation)?.[1] ?? ''
    const robot = /robot is at (room.)/.exec(core.step(state, 'look around').observation)?.[1] ?? ''
    const there = robot === room ? state : core.step(state, `move from ${robot} to ${room}`).state
    expect(held(core.step(there, action.replace(/rooma/i, room)))).toBe(true)
  })

  test('that are not understood or not possible cost nothing but the turn', async () => {
    const { state, play } = await open('blockworld-000')
    const [nonsense, impossible, twice] = play('dance', 'put down b1', 'stack b1 on b1')
    expect(nonsense).toMatchObject({ valid: false, reward: 0, progress: 0, done: false })
    expect(nonsense?.observation).toMatch(/not an action here.*"check valid actions"/)
    expect(impossible).toMatchObject({ valid: false })
    expect(impossible?.observation).toMatch(/not possible now.*"check valid actions"/)
    expect(twice?.observation).toContain('not an action here')
    expect(impossible?.state).toBe(state)
  })

  test('that are possible but change nothing are valid, and say so', async () => {
    const { state, core } = await open('barman-001')
    const { state: holding } = core.step(state, 'grasp shaker1 with left')
    const cleaned = core.step(holding, 'clean shaker1 using left and right')
    expect(cleaned).toMatchObject({ valid: true, observation: 'That was possible, but it changed nothing.' })
    expect(cleaned.state).toBe(holding)
    expect(core.validActions?.(holding)).toContain('clean shaker1 using left and right')
  })
})

test('the reward is the best share of the goal so far, and the end is the whole goal', async () => {
  const { play, core, state } = await open('barman-002')
  const [, first = '', second = ''] =
    /Goal: (\S+) contains.*; (\S+) contains/.exec(core.step(state, 'look around').observation) ?? []
  const drink = (shot: string) =>
    new RegExp(`Goal: .*?${shot} contains (ingredient\\d)`).exec(
      core.step(state, 'look around').observation,
    )?.[1] ?? ''
  const dispenser = (ingredient: string) =>
    new RegExp(`(dispenser\\d) dispenses ${ingredient}`, 'i').exec(
      core.step(state, 'look around').observation,
    )?.[1]
  const fill = (shot: string) =>
    `fill ${shot} with ${drink(shot)} from ${dispenser(drink(shot))} using left and right`.toLowerCase()
  const results = play(
    `grasp ${first} with left`,
    fill(first),
    `empty ${drink(first)} out of ${first} with left`,
    'dance',
    `refill ${fill(first).slice('fill '.length)}`,
    `put down ${first} with left`,
    `grasp ${second} with left`,
    fill(second),
  )
  expect(results.map(({ valid }) => valid)).toEqual([true, true, true, false, true, true, true, true])
  expect(results.map(({ reward }) => reward)).toEqual([0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1])
  expect(results.map(({ progress }) => progress)).toEqual(results.map(({ reward }) => reward))
  expect(results.map(({ done }) => done)).toEqual([...Array(7).fill(false), true])
})

test('the state is small plain JSON', async () => {
  const sizes = await Promise.all(
    pddl.tasks().map(async ({ id }) => {
      const { state } = await open(id)
      const copy: PddlState = JSON.parse(JSON.stringify(state))
      expect(copy).toEqual(state)
      return JSON.stringify(state).length
    }),
  )
  expect(Math.max(...sizes)).toBeLessThan(400)
})

test('the definition opens what comes along when no pack is given', async () => {
  expect(await pddlDefinition.open(null)).toBe(pddl)
})
