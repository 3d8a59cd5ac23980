import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { householdTypes } from '../../../shared/environments/alfworld/definition.ts'
import { loadGame } from '../../../shared/environments/alfworld/game.ts'
import { makeGame } from '../../../shared/environments/alfworld/household/make-game.ts'
import { createHouseholdTasks } from '../../../shared/environments/alfworld/household/tasks.ts'

const tasks = createHouseholdTasks()
const inSplit = (split: string) => tasks.filter((task) => task.split === split)

describe('the household tasks', () => {
  test('are 240 to train on and 120 to test with, of six types in the same share', () => {
    for (const [split, count] of [
      ['train', 40],
      ['test', 20],
    ] as const) {
      const ofSplit = inSplit(split)
      expect(ofSplit).toHaveLength(6 * count)
      for (const type of householdTypes)
        expect(ofSplit.filter((task) => task.type === type)).toHaveLength(count)
      expect(new Set(ofSplit.slice(0, 6).map(({ type }) => type)).size).toBe(6)
    }
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
  })

  test('share no goal between splits', () => {
    const goals = (split: string) =>
      new Set(inSplit(split).map(({ goal: { type, object, target } }) => `${type} ${object} ${target}`))
    expect([...goals('test')].filter((goal) => goals('train').has(goal))).toEqual([])
    const sentences = new Set(inSplit('train').map(({ description }) => description))
    expect(inSplit('test').filter(({ description }) => sentences.has(description))).toEqual([])
  })

  test('never change: results refer to them', () => {
    expect(tasks[0]).toEqual({
      id: 'test/pick_and_place_simple-DishSponge-None-BathtubBasin-1/trial_1',
      split: 'test',
      type: 'pick_and_place_simple',
      description: 'Put a dishsponge in bathtubbasin.',
      placing: 'move',
      goal: {
        type: 'pick_and_place_simple',
        room: 'bathroom',
        object: 'DishSponge',
        target: 'BathtubBasin',
      },
    })
    const hash = createHash('sha256')
    for (const task of tasks) hash.update(JSON.stringify([task, makeGame(task)]))
    expect(hash.digest('hex').slice(0, 16)).toBe('4ed6472f11f05208')
  })
})

describe('every household', () => {
  test.each(['test', 'train'])(
    'of the split %s is solved by its walkthrough, and only at its last step',
    (split) => {
      for (const task of inSplit(split)) {
        const file = makeGame(task)
        const game = loadGame(file, task.id)
        let { state, observation } = game.reset()
        expect(observation.toLowerCase()).toContain(`your task is to: ${task.description.toLowerCase()}`)
        const walkthrough = file.walkthrough ?? []
        expect(walkthrough.length).toBeGreaterThan(2)
        for (const [index, command] of walkthrough.entries()) {
          expect(game.validActions(state)).toContain(command)
          const result = game.step(state, command)
          observation = result.observation
          expect([task.id, command, result.done]).toEqual([
            task.id,
            command,
            index === walkthrough.length - 1,
          ])
          expect(result.reward).toBe(result.done ? 1 : 0)
          state = result.state
        }
      }
    },
  )

  test('is solved in the words of the old grammar too', () => {
    for (const task of inSplit('test').slice(0, 12)) {
      const file = makeGame(task, 'put')
      const game = loadGame(file, task.id)
      let { state } = game.reset()
      const dones = (file.walkthrough ?? []).map((command) => {
        const result = game.step(state, command)
        state = result.state
        return result.done
      })
      expect(dones.at(-1)).toBe(true)
    }
  })

  test('has things and furniture of different ids, and a place to start from in front of nothing', () => {
    for (const task of tasks) {
      const { pddl_problem } = makeGame(task)
      const objects = /\(:objects\s([^)]*)\)/.exec(pddl_problem)?.[1]?.trim().split(/\n\s*/) ?? []
      expect(new Set(objects).size).toBe(objects.length)
      const start = /\(atLocation agent1 (\S+)\)/.exec(pddl_problem)?.[1] ?? ''
      expect(pddl_problem).not.toMatch(new RegExp(`receptacleAtLocation \\S+ ${start}\\)`))
    }
  })
})
