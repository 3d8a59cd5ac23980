import {
  type Crafting,
  type CraftingCommand,
  type CraftingSituation,
  held,
  type Stack,
} from './textcraft-prompt.ts'

export interface Routes {
  readonly commands: ReadonlyMap<string, CraftingCommand>
  readonly costs: ReadonlyMap<string, number>
  readonly kinds: ReadonlyMap<string, readonly string[]>
}

const longestPlan = 200
const routesCache = new WeakMap<Crafting, Routes>()

export function planAction(situation: CraftingSituation, routes: Routes): string {
  if (!situation.certain) return 'inventory'
  const plan = new Plan(situation, routes)
  plan.make(situation.crafting.goal)
  return plan.firstAction()
}

export function openRoutes({ crafting, refused }: CraftingSituation): Routes {
  if (refused.size > 0) return findRoutes(crafting, refused)
  let routes = routesCache.get(crafting)
  if (routes === undefined) {
    routes = findRoutes(crafting, refused)
    routesCache.set(crafting, routes)
  }
  return routes
}

export function fillKinds(
  command: CraftingCommand,
  stock: ReadonlyMap<string, number>,
  routes: Routes,
): Stack[] {
  const taken = new Set(command.ingredients.map(({ name }) => name))
  const cost = (name: string) => routes.costs.get(name) ?? Number.POSITIVE_INFINITY
  return command.ingredients.map(({ name, count }) => {
    const members = (routes.kinds.get(name) ?? []).filter((member) => !taken.has(member))
    const enough = members.find((member) => held(stock, member) >= count)
    const member = enough ?? members.toSorted((left, right) => cost(left) - cost(right))[0]
    if (member === undefined) return { name, count }
    taken.add(member)
    return { name: member, count }
  })
}

export function commandText(output: Stack, ingredients: readonly Stack[]): string {
  const list = ingredients.map(({ name, count }) => `${count} ${name}`).join(', ')
  return `craft ${output.count} ${output.name} using ${list}`
}

/**
 * Runs Bellman–Ford over the shown commands.
 *
 * A one-word ingredient that no command makes counts as a kind if some item of that kind can be made without it
 * (`planks`, but not `glass`). It also counts as a kind once `get` was refused. All others can be fetched.
 */
function findRoutes(crafting: Crafting, refused: ReadonlySet<string>): Routes {
  const commands = new Map<string, CraftingCommand>()
  const costs = new Map<string, number>()
  const kinds = new Map<string, string[]>()
  const made = new Set(crafting.commands.map(({ output }) => output.name))
  const needed = new Set(crafting.commands.flatMap(({ ingredients }) => ingredients.map(({ name }) => name)))
  for (const name of needed) {
    if (made.has(name)) continue
    const members = [...made].filter((item) => item.endsWith(` ${name}`))
    const fetchable = !refused.has(`get ${name}`)
    if (members.length > 0 && !(fetchable && name.includes(' '))) kinds.set(name, members)
    else if (fetchable) costs.set(name, 1)
  }
  relax(crafting, refused, { commands, costs, kinds })
  for (const kind of kinds.keys()) {
    if (costs.has(kind)) continue
    kinds.delete(kind)
    if (!refused.has(`get ${kind}`)) costs.set(kind, 1)
  }
  relax(crafting, refused, { commands, costs, kinds })
  return { commands, costs, kinds }
}

function relax(
  crafting: Crafting,
  refused: ReadonlySet<string>,
  routes: {
    commands: Map<string, CraftingCommand>
    costs: Map<string, number>
    kinds: ReadonlyMap<string, readonly string[]>
  },
): void {
  const { commands, costs, kinds } = routes
  const cost = (name: string) => costs.get(name) ?? Number.POSITIVE_INFINITY
  for (let changed = true; changed; ) {
    changed = false
    for (const command of crafting.commands) {
      const { output, ingredients } = command
      if (refused.has(commandText(output, ingredients))) continue
      let total = 1
      for (const { name, count } of ingredients) {
        const route = commands.get(name)
        total += cost(name) * (route === undefined ? 1 : Math.ceil(count / route.output.count))
      }
      if (total >= cost(output.name)) continue
      costs.set(output.name, total)
      commands.set(output.name, command)
      changed = true
    }
    for (const [kind, members] of kinds) {
      const least = Math.min(...members.map(cost))
      if (least >= cost(kind)) continue
      costs.set(kind, least)
      changed = true
    }
  }
}

class Plan {
  readonly #routes: Routes
  readonly #stock: Map<string, number>
  readonly #actions: string[] = []
  readonly #fetched = new Map<string, number>()

  constructor(situation: CraftingSituation, routes: Routes) {
    this.#routes = routes
    this.#stock = new Map(situation.inventory)
  }

  make(name: string): void {
    const command = this.#routes.commands.get(name)
    if (command === undefined) return
    const ingredients = fillKinds(command, this.#stock, this.#routes)
    // Making one ingredient can use up another, so repeat until all are there.
    while (this.#actions.length < longestPlan) {
      const short = ingredients.find((stack) => held(this.#stock, stack.name) < stack.count)
      if (short === undefined) break
      if (this.#routes.commands.has(short.name)) this.make(short.name)
      else this.#fetch(short)
    }
    for (const { name: item, count } of ingredients) this.#add(item, -count)
    this.#add(name, command.output.count)
    this.#actions.push(commandText(command.output, ingredients))
  }

  /** A first fetch covers the whole plan's need. */
  firstAction(): string {
    const action = this.#actions[0] ?? 'inventory'
    const total = this.#fetched.get(action)
    return total === undefined ? action : `get ${total} ${action}`
  }

  #fetch({ name, count }: Stack): void {
    const missing = count - held(this.#stock, name)
    this.#fetched.set(name, (this.#fetched.get(name) ?? 0) + missing)
    this.#add(name, missing)
    this.#actions.push(name)
  }

  #add(name: string, count: number): void {
    this.#stock.set(name, held(this.#stock, name) + count)
  }
}
