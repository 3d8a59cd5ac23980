import { callText, type Expert, type ExpertFunction, type Outlook } from '../../simulated/expert.ts'
import { openRoutes, planAction } from './textcraft-planner.ts'
import { type CraftingSituation, held, readCommand, readCraftingSituation } from './textcraft-prompt.ts'

const longestPlan = 80

const functions: readonly ExpertFunction[] = [
  {
    name: 'fetchAll',
    parameters: ['items'],
    code: `/**
 * Fetches several things that no recipe makes.
 * @param items - the things with their counts and commas between them, as in "2 oak log, 1 coal"
 */
function fetchAll(items) {
  for (const item of items.split(",")) act("get " + item.trim())
}`,
    blunders: [
      ['items.split(",")', 'items.split(";")'],
      ['"get " + item.trim()', 'item.trim()'],
    ],
  },
  {
    name: 'craftAll',
    parameters: ['commands'],
    code: `/**
 * Applies recipes one after the other. Everything they take has to be held, or made by one before.
 * @param commands - the commands with semicolons between them, as in "craft 4 oak planks using 1 oak log; craft 4 stick using 2 oak planks"
 */
function craftAll(commands) {
  for (const command of commands.split(";")) act(command.trim())
}`,
    blunders: [
      ['commands.split(";")', 'commands.split(";").reverse()'],
      ['commands.split(";")', 'commands.split(",")'],
    ],
  },
]

export const textcraftExpert: Expert = {
  name: 'textcraft',
  look(messages) {
    const situation = readCraftingSituation(messages)
    if (situation === null) return null
    const { content: last = '' } = messages.findLast(({ role }) => role === 'user') ?? {}
    return outlookOf(situation, /^Could not |^Wrong item format/m.test(last.split('\n').at(-1) ?? ''))
  },
}

function outlookOf(situation: CraftingSituation, isRefused: boolean): Outlook {
  const { goal } = situation.crafting
  const isReached = held(situation.inventory, goal) > 0
  const plan = isReached ? [] : planAhead(situation)
  const statements = () => inOrder(plan)
  return {
    goal: `craft ${goal}`,
    isReached,
    isSpoiled: false,
    isRefused,
    next: plan[0] ?? null,
    missing: isReached ? 0 : plan.length || longestPlan,
    functions,
    statements,
    call(known) {
      if (!situation.certain) return null
      const [first = ''] = statements()
      const isKnown = functions.some(({ name }) => known.has(name) && first.startsWith(`${name}(`))
      return isKnown && plan.length > 1 ? first : null
    },
  }
}

function planAhead(situation: CraftingSituation): string[] {
  const routes = openRoutes(situation)
  const ahead = { ...situation, inventory: new Map(situation.inventory), certain: true }
  const { inventory } = ahead
  const plan: string[] = []
  while (plan.length < longestPlan && held(inventory, situation.crafting.goal) === 0) {
    const action = planAction(ahead, routes)
    const [, count, item] = /^get (\d+) (.+)$/.exec(action) ?? []
    const command = readCommand(action)
    if (item !== undefined) inventory.set(item, held(inventory, item) + Number(count))
    else if (command === null) break
    else {
      for (const { name, count: used } of command.ingredients)
        inventory.set(name, held(inventory, name) - used)
      inventory.set(command.output.name, held(inventory, command.output.name) + command.output.count)
    }
    plan.push(action)
  }
  return plan
}

function inOrder(plan: readonly string[]): string[] {
  const fetched = plan.filter((step) => step.startsWith('get ')).map((step) => step.slice('get '.length))
  const crafted = plan.filter((step) => step.startsWith('craft '))
  return [
    ...(fetched.length > 0 ? [callText('fetchAll', fetched.join(', '))] : []),
    ...(crafted.length > 0 ? [callText('craftAll', crafted.join('; '))] : []),
  ]
}
