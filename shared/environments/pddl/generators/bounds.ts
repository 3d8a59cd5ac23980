import { z } from 'zod'
import type { JsonObject } from '../../../core/contracts/json.ts'
import type { GeneratorDefinition } from '../../generate/task-generator.ts'

const size = (about: string, { least, most, usual }: { least: number; most: number; usual: number }) =>
  z.int().min(least).max(most).default(usual).describe(about)

function inOrder(bounds: JsonObject, context: z.RefinementCtx): void {
  for (const [name, least] of Object.entries(bounds)) {
    const most = bounds[name.replace('min_', 'max_')]
    if (!name.startsWith('min_') || Number(least) <= Number(most)) continue
    const message = `must be at most ${name.replace('min_', 'max_')}, which is ${most}, not ${least}`
    context.addIssue({ code: 'custom', path: [name], message })
  }
}

const balls = { least: 1, most: 12 }
const rooms = { least: 2, most: 10 }

export const gripperBounds = z
  .strictObject({
    min_balls: size('Minimum number of balls that have to move.', { ...balls, usual: 1 }),
    max_balls: size('Maximum number of balls that have to move.', { ...balls, usual: 4 }),
    min_rooms: size('Minimum number of rooms.', { ...rooms, usual: 2 }),
    max_rooms: size('Maximum number of rooms.', { ...rooms, usual: 4 }),
    max_resting_balls: size('Maximum number of further balls, which the goal does not name.', {
      least: 0,
      most: 4,
      usual: 0,
    }),
  })
  .superRefine(inOrder)

const blocks = { least: 2, most: 10 }

export const blockworldBounds = z
  .strictObject({
    min_blocks: size('Minimum number of blocks.', { ...blocks, usual: 3 }),
    max_blocks: size('Maximum number of blocks.', { ...blocks, usual: 6 }),
  })
  .superRefine(inOrder)

const wheels = { least: 1, most: 3 }

export const tyreworldBounds = z
  .strictObject({
    min_wheels: size('Minimum number of wheels to change.', { ...wheels, usual: 1 }),
    max_wheels: size('Maximum number of wheels to change.', { ...wheels, usual: 2 }),
  })
  .superRefine(inOrder)

const drinks = { least: 1, most: 3 }
const ingredients = { least: 2, most: 5 }
const cocktails = { least: 1, most: 5 }

export const barmanBounds = z
  .strictObject({
    min_drinks: size('Minimum number of ordered glasses.', { ...drinks, usual: 1 }),
    max_drinks: size('Maximum number of ordered glasses.', { ...drinks, usual: 2 }),
    min_ingredients: size('Minimum number of ingredients.', { ...ingredients, usual: 3 }),
    max_ingredients: size('Maximum number of ingredients.', { ...ingredients, usual: 4 }),
    min_cocktails: size('Minimum number of cocktails with a recipe.', { ...cocktails, usual: 3 }),
    max_cocktails: size('Maximum number of cocktails with a recipe.', { ...cocktails, usual: 4 }),
  })
  .superRefine(inOrder)

export const pddlGenerators = {
  gripper: {
    id: 'gripper',
    version: 2,
    description: 'A robot with two grippers carries balls between rooms.',
    bounds: gripperBounds,
  },
  blockworld: {
    id: 'blockworld',
    version: 2,
    description: 'An arm builds towers of blocks out of other towers.',
    bounds: blockworldBounds,
  },
  tyreworld: {
    id: 'tyreworld',
    version: 2,
    description: 'A robot changes flat wheels, at whatever point the work begins.',
    bounds: tyreworldBounds,
  },
  barman: {
    id: 'barman',
    version: 2,
    description: 'A barman mixes drinks from dispensers, with a spare glass.',
    bounds: barmanBounds,
  },
} as const satisfies Record<string, GeneratorDefinition>
