import { expect, test } from 'vitest'
import { displayName, recipeLine } from '../../shared/environments/textcraft/recipe.ts'
import { createRecipeBook } from '../../shared/environments/textcraft/recipe-book.ts'
import { createTextcraftStep, type TextcraftState } from '../../shared/environments/textcraft/step.ts'
import { createTextcraft } from '../../shared/environments/textcraft/textcraft.ts'
import { describeWithConformance, readConformance } from './conformance-folder.ts'

interface Episode {
  goal: string
  reset_observation: string
  steps: { action: string; observation: string; reward: number; done: boolean }[]
}

const load = () => ({
  book: createRecipeBook(readConformance<Record<string, unknown>>('textcraft/recipes.json')),
  episodes: readConformance<Episode[]>('textcraft/transcripts.json'),
})

describeWithConformance('textcraft/transcripts.json', load, ({ book, episodes }) => {
  const step = createTextcraftStep(book)

  test('holds episodes', () => {
    expect(episodes.length).toBeGreaterThan(0)
  })

  test.each(episodes.map((episode, index) => [index, displayName(episode.goal), episode] as const))(
    'episode %i (%s) gives every observation, reward and done of the reference',
    (_index, _name, episode) => {
      let state: TextcraftState = { goal: episode.goal, inventory: {} }
      const played = episode.steps.map(({ action }) => {
        const result = step(state, action)
        state = result.state
        return { action, observation: result.observation, reward: result.reward, done: result.done }
      })
      expect(played).toEqual(episode.steps)
    },
  )

  test('shows the same needed recipes as the reference, and only recipes that it keeps', () => {
    const kept = new Set(book.craftable.flatMap((id) => book.recipesOfItem(id).map(recipeLine)))
    for (const { goal, reset_observation } of episodes) {
      const { lines, goalLine } = readReset(reset_observation)
      expect(goalLine).toBe(`Goal: craft ${displayName(goal)}.`)
      expect(lines.filter((line) => !kept.has(line))).toEqual([])
      const needed = neededLines(goal)
      expect(needed.filter((line) => !lines.includes(line))).toEqual([])
      expect(lines.length).toBeLessThanOrEqual(needed.length + 10)
    }
  })

  test('resets every goal in the form of the reference', () => {
    const game = createTextcraft(book)
    const taskByGoal = new Map(game.tasks().map(({ id, description }) => [description, id]))
    for (const { goal, reset_observation } of episodes) {
      const task = taskByGoal.get(`Craft ${displayName(goal)}.`) ?? ''
      const { state, observation } = game.reset(task, 0)
      const ours = readReset(observation)
      const theirs = readReset(reset_observation)
      const needed = neededLines(goal)
      expect(state).toEqual({ goal, inventory: {} })
      expect(ours.goalLine).toBe(theirs.goalLine)
      expect(needed.filter((line) => !ours.lines.includes(line))).toEqual([])
      expect(ours.lines.length).toBeLessThanOrEqual(needed.length + 10)
    }
  })

  function neededLines(goal: string): string[] {
    const names = new Set([goal])
    for (const name of names) {
      for (const { ingredients } of book.recipesOf(name)) for (const { id } of ingredients) names.add(id)
    }
    return [...new Set([...names].flatMap((name) => book.recipesOf(name).map(recipeLine)))]
  }
})

function readReset(observation: string): { lines: string[]; goalLine: string } {
  const [header = '', ...rest] = observation.split('\n')
  expect(header).toBe('Crafting commands:')
  expect(rest.at(-2)).toBe('')
  return { lines: rest.slice(0, -2), goalLine: rest.at(-1) ?? '' }
}
