import type { Message } from '../../../core/contracts/message.ts'
import type { Random } from '../../../core/random/random.ts'
import { choose } from '../../../core/random/shuffled.ts'
import { learnedCall } from '../../simulated/learned-call.ts'
import type { Policy } from '../../simulated/policy.ts'
import { textcraftExpert } from './textcraft-expert.ts'
import { commandText, fillKinds, openRoutes, planAction } from './textcraft-planner.ts'
import { type CraftingSituation, held, readCommand, readCraftingSituation } from './textcraft-prompt.ts'

export const textcraftPolicy: Policy = {
  name: 'textcraft',
  expert: textcraftExpert,
  answer(messages, skill, random) {
    const situation = readCraftingSituation(messages)
    if (situation === null) return null
    const right = learnedCall(messages, textcraftExpert) ?? planAction(situation, openRoutes(situation))
    if (random() < skill ** (1 + failuresInARow(messages))) return think(right, situation, random)
    const wrong = choose(mistakes, random)?.(right, situation, random) ?? null
    return wrong === null ? think('inventory', situation, random) : wrong
  },
}

/**
 * Counts the consecutive failed actions at the end of the prompt, up to three. As with real models, each one confuses
 * a weak model more: a skill of 0.6 falls to 0.36, then 0.22, then 0.13.
 */
function failuresInARow(messages: readonly Message[]): number {
  const observations = messages
    .filter(({ role }) => role === 'user')
    .slice(-3)
    .reverse()
  const firstSuccess = observations.findIndex(({ content }) => !content.startsWith('Could not'))
  return firstSuccess < 0 ? observations.length : firstSuccess
}

type Mistake = (right: string, situation: CraftingSituation, random: Random) => string | null

const spend: Mistake = (right, situation, random) => {
  const { crafting, inventory } = situation
  const routes = openRoutes(situation)
  const possible = crafting.commands
    .filter(({ output }) => output.name !== crafting.goal)
    .map((command) => ({ command, ingredients: fillKinds(command, inventory, routes) }))
    .filter(({ ingredients }) => ingredients.every(({ name, count }) => held(inventory, name) >= count))
    .map(({ command, ingredients }) => commandText(command.output, ingredients))
    .filter((action) => action !== right)
  const action = choose(possible, random)
  return action === undefined ? null : think(action, situation, random)
}

const miscount: Mistake = (right, situation, random) => {
  const numbers = [...right.matchAll(/\d+/g)]
  const number = choose(numbers.slice(-Math.max(1, numbers.length - 1)), random)
  if (number === undefined) return null
  const count = Number(number[0])
  const other = count > 1 && random() < 0.5 ? count - 1 : count + 1
  const action = right.slice(0, number.index) + other + right.slice(number.index + number[0].length)
  return think(action, situation, random)
}

const forgetIngredient: Mistake = (right, situation, random) => {
  const command = readCommand(right)
  if (command === null || command.ingredients.length < 2) return null
  const forgotten = choose(command.ingredients, random)
  const rest = command.ingredients.filter((stack) => stack !== forgotten)
  return think(commandText(command.output, rest), situation, random)
}

const craftTooEarly: Mistake = (right, situation, random) => {
  const command = choose(situation.crafting.commands, random)
  const action = command === undefined ? right : commandText(command.output, command.ingredients)
  return action === right ? null : think(action, situation, random)
}

const fetchCrafted: Mistake = (_right, situation, random) => {
  const command = choose(situation.crafting.commands, random)
  return command === undefined ? null : think(`get 1 ${command.output.name}`, situation, random)
}

const fetchOther: Mistake = (right, situation, random) => {
  const stack = choose(choose(situation.crafting.commands, random)?.ingredients ?? [], random)
  const action = `get ${stack?.count} ${stack?.name}`
  return stack === undefined || action === right ? null : think(action, situation, random)
}

const onlyTalk: Mistake = (right) => `I think the next thing to do is to ${right}, and then go on from there.`

const lookAround: Mistake = (_right, situation, random) => think('inventory', situation, random)

/** Spending a needed item is the only mistake that costs more than a step, so it comes often. */
const mistakes: readonly Mistake[] = [
  spend,
  spend,
  spend,
  miscount,
  forgetIngredient,
  craftTooEarly,
  craftTooEarly,
  fetchCrafted,
  fetchOther,
  onlyTalk,
  lookAround,
]

const openings: readonly ((goal: string) => string)[] = [
  (goal) => `I have to craft ${goal}.`,
  (goal) => `The goal is ${goal}, so I work through its ingredients.`,
  () => 'Let me check the recipes once more.',
  (goal) => `Still on the way to ${goal}.`,
  () => 'I go by what I hold now.',
]

function think(action: string, { crafting }: CraftingSituation, random: Random): string {
  const opening = (choose(openings, random) ?? String)(crafting.goal)
  return `Thought: ${opening} ${reason(action, random)}\nAction: ${action}`
}

function reason(action: string, random: Random): string {
  const [, item] = /^(?:get|craft) \d+ (.+?)(?: using .*)?$/.exec(action) ?? []
  if (item === undefined) return 'I should see what I am carrying.'
  const verb = action.startsWith('get') ? 'fetch' : 'make'
  const reasons = [
    `Now I ${verb} the ${item}.`,
    `Next I need ${item}.`,
    `It takes ${item}, so I ${verb} that.`,
  ]
  return choose(reasons, random) ?? ''
}
