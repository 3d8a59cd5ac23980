import type { Message } from '../../../core/contracts/message.ts'
import { readAction } from '../../simulated/policy.ts'

export interface Stack {
  readonly name: string
  readonly count: number
}

export interface CraftingCommand {
  readonly output: Stack
  readonly ingredients: readonly Stack[]
}

export interface Crafting {
  readonly goal: string
  readonly commands: readonly CraftingCommand[]
}

export interface CraftingSituation {
  readonly crafting: Crafting
  readonly inventory: Map<string, number>
  readonly refused: Set<string>
  /** False if the inventory does not add up, because earlier turns were cut from the prompt. */
  certain: boolean
}

const cacheSize = 1024
const cache = new Map<string, Crafting | null>()
const leftOut = /\b(left out|omitted|truncated)\b/i

export function readCraftingSituation(messages: readonly Message[]): CraftingSituation | null {
  const start = messages.findLastIndex(
    (message) => message.role !== 'assistant' && readCrafting(message.content) !== null,
  )
  const crafting = readCrafting(messages[start]?.content ?? '')
  if (crafting === null) return null
  const situation: CraftingSituation = { crafting, inventory: new Map(), refused: new Set(), certain: true }
  let action: string | null = null
  for (const message of messages.slice(start + 1)) {
    if (message.role === 'assistant') action = readAction(message.content) ?? message.content.trim()
    else {
      if (leftOut.test(message.content)) situation.certain = false
      if (action !== null) replayAll(situation, action, message.content)
      action = null
    }
  }
  return situation
}

export function readCommand(line: string): CraftingCommand | null {
  const match = /^craft (\d+) (.+?) using (.+)$/.exec(line.trim())
  if (match === null) return null
  const ingredients = (match[3] ?? '').split(',').map((text) => /^(\d+) (.+)$/.exec(text.trim()))
  if (ingredients.includes(null)) return null
  return {
    output: { count: Number(match[1]), name: normalize(match[2]) },
    ingredients: ingredients.map((parts) => ({ count: Number(parts?.[1]), name: normalize(parts?.[2]) })),
  }
}

export function held(inventory: ReadonlyMap<string, number>, name: string): number {
  return inventory.get(name) ?? 0
}

function readCrafting(content: string): Crafting | null {
  const heading = content.lastIndexOf('Crafting commands:')
  if (heading < 0) return null
  let crafting = cache.get(content)
  if (crafting !== undefined) return crafting
  const text = content.slice(heading)
  const goal = /^Goal: craft (.+?)\.?\s*$/m.exec(text)?.[1]
  const commands = text.split('\n').map(readCommand)
  crafting = goal ? { goal: normalize(goal), commands: commands.filter((command) => command !== null) } : null
  cache.set(content, crafting)
  if (cache.size > cacheSize) cache.delete(cache.keys().next().value ?? '')
  return crafting
}

/** A learned action answers with a line for each of its steps. Its arguments contain the commands that it used. */
function replayAll(situation: CraftingSituation, action: string, observation: string): void {
  const call = /^\w+\((.*)\)$/.exec(action)?.[1]
  if (call === undefined) replay(situation, action, observation)
  else if (!observation.startsWith('The call failed')) {
    const commands = call.match(/craft \d+ [^";]+/g) ?? []
    for (const line of observation.split('\n')) {
      const command = line.startsWith('Crafted ') ? commands.shift() : undefined
      if (line.startsWith('Crafted ') && command === undefined) situation.certain = false
      replay(situation, command ?? 'inventory', line)
    }
  }
}

function replay(situation: CraftingSituation, action: string, observation: string): void {
  const { inventory } = situation
  const got = /Got (\d+) (.+)/.exec(observation)
  const crafted = /Crafted (\d+) (\S+)/.exec(observation)
  if (got !== null) add(inventory, normalize(got[2]), Number(got[1]))
  else if (crafted !== null) {
    for (const { name, count } of readCommand(action)?.ingredients ?? []) {
      if (held(inventory, name) < count) situation.certain = false
      add(inventory, name, -count)
    }
    add(inventory, normalize(crafted[2]), Number(crafted[1]))
  } else if (observation.includes('Inventory:')) {
    inventory.clear()
    for (const [, name, count] of observation.matchAll(/\[(.+?)\] \((\d+)\)/g)) {
      add(inventory, normalize(name), Number(count))
    }
    situation.certain = true
  } else if (/Could not find enough items/.test(observation)) {
    const needed = readCommand(action)?.ingredients ?? []
    if (needed.length > 0 && needed.every(({ name, count }) => held(inventory, name) >= count)) {
      situation.certain = false
    }
  } else situation.refused.add(action.replace(/^get \d+ /, 'get '))
}

function add(inventory: Map<string, number>, name: string, count: number): void {
  inventory.set(name, Math.max(0, held(inventory, name) + count))
}

function normalize(name: string | undefined): string {
  return (name ?? '')
    .replace(/^minecraft:/, '')
    .replaceAll('_', ' ')
    .trim()
}
