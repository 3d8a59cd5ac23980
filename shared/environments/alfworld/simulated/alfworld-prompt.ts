import type { Message } from '../../../core/contracts/message.ts'
import { readAction } from '../../simulated/policy.ts'

export interface Errand {
  readonly thing: string
  readonly target: string
  readonly treatment: 'clean' | 'heat' | 'cool' | null
  readonly isLook: boolean
  readonly count: number
}

export interface HouseView {
  readonly errand: Errand
  readonly verb: 'move' | 'put'
  readonly receptacles: readonly string[]
  readonly contents: Map<string, string[]>
  readonly closed: Set<string>
  readonly treated: Set<string>
  readonly visited: Set<string>
  at: string | null
  /** Undefined if unknown, because earlier turns were cut from the prompt. */
  held: string | null | undefined
  refused: string | null
}

const opening = 'You are in the middle of a room.'
const leftOut = /\b(left out|omitted|truncated)\b/i
const states = { clean: 'clean', hot: 'heat', cool: 'cool', heat: 'heat' } as const

export function readHouse(messages: readonly Message[]): HouseView | null {
  const start = messages.findLastIndex(
    ({ role, content }) => role !== 'assistant' && readOpening(content) !== null,
  )
  const read = readOpening(messages[start]?.content ?? '')
  if (read === null) return null
  const isOld = messages.some(
    ({ role, content }) => role !== 'assistant' && /\bput .{1,60} in\/on /.test(content),
  )
  const house: HouseView = {
    ...read,
    verb: isOld ? 'put' : 'move',
    contents: new Map(),
    closed: new Set(),
    treated: new Set(),
    visited: new Set(),
    at: null,
    held: null,
    refused: null,
  }
  let action: string | null = null
  for (const { role, content } of messages.slice(start + 1)) {
    if (role === 'assistant') action = readAction(content) ?? content.trim()
    else {
      if (leftOut.test(content)) house.held = undefined
      if (action !== null) replayAll(house, action, content)
      action = null
    }
  }
  return house
}

export function kindOf(name: string): string {
  return name.replace(/ \d+$/, '')
}

function readOpening(content: string): Pick<HouseView, 'errand' | 'receptacles'> | null {
  const from = content.lastIndexOf(opening)
  if (from < 0) return null
  const text = content.slice(from)
  const sentence = /Your task is to: ([^\n]*)/.exec(text)?.[1]
  const errand = sentence === undefined ? null : readErrand(sentence)
  return errand && { errand, receptacles: readList(/you see ([^\n]*)/.exec(text)?.[1] ?? '') }
}

function readErrand(sentence: string): Errand | null {
  const plain = { treatment: null, isLook: false, count: 1 }
  const look = /^(?:look at|examine the) (\w+) (?:under|with) the (\w+)/.exec(sentence)
  if (look) return { ...plain, isLook: true, thing: look[1] ?? '', target: look[2] ?? '' }
  const two = /^(?:put|find) two (\w+) (?:and put them )?in (\w+)/.exec(sentence)
  if (two) return { ...plain, count: 2, thing: two[1] ?? '', target: two[2] ?? '' }
  const treated =
    /^put a (clean|hot|cool) (\w+) in (\w+)/.exec(sentence) ??
    /^(clean|heat|cool) some (\w+) and put it in (\w+)/.exec(sentence)
  if (treated) {
    const treatment = states[treated[1] as keyof typeof states]
    return { ...plain, treatment, thing: treated[2] ?? '', target: treated[3] ?? '' }
  }
  const put = /^put (?:a|some) (\w+) (?:in|on) (\w+)/.exec(sentence)
  return put && { ...plain, thing: put[1] ?? '', target: put[2] ?? '' }
}

function readList(text: string): string[] {
  if (text.startsWith('nothing')) return []
  return [...text.matchAll(/\ba (\w+ \d+)/g)].map(([, name = '']) => name)
}

export function isRefusal(observation: string): boolean {
  return /Nothing happens|The action is not valid and therefore/.test(observation)
}

/** A learned action answers with a line for each of its steps; the line names the location. */
function replayAll(house: HouseView, action: string, observation: string): void {
  if (!/^\w+\(.*\)$/.test(action)) {
    replay(house, action, observation)
    return
  }
  if (!observation.startsWith('The call failed')) {
    for (const line of observation.split('\n')) {
      const [, place] =
        /^(?:You arrive at .*?\. )?(?:On the|The) (\w+ \d+)(?:,| is (?:open|closed))/.exec(line) ?? []
      replay(house, place === undefined ? 'look' : `go to ${place}`, line)
    }
  }
  house.refused = null
}

function replay(house: HouseView, action: string, observation: string): void {
  const [, place] = /^go to (.+)$/.exec(action) ?? []
  house.refused = isRefusal(observation) ? action : null
  if (place !== undefined && house.receptacles.includes(place)) {
    // A location that cannot be gone to is already within reach.
    house.at = place
    if (house.refused === null) house.visited.add(place)
  }
  if (house.refused !== null) {
    const [, examined] = /^(?:examine|open) (.+)$/.exec(action) ?? []
    if (examined !== undefined) house.visited.add(examined)
    return
  }
  const seen = /(?:On the ([^,]+)|The (\w+ \d+) is open\. In it), you see ([^\n]*)/.exec(observation)
  if (seen) {
    const receptacle = seen[1] ?? seen[2] ?? ''
    house.contents.set(receptacle, readList(seen[3] ?? ''))
    house.closed.delete(receptacle)
    house.visited.add(receptacle)
  }
  const closed = /(?:The (\w+ \d+) is closed|You close the (\w+ \d+))/.exec(observation)
  if (closed) house.closed.add(closed[1] ?? closed[2] ?? '')
  carry(house, observation)
}

function carry(house: HouseView, observation: string): void {
  const taken = /You pick up the (\w+ \d+) from the (\w+ \d+)/.exec(observation)
  const placed = /You (?:move|put) the (\w+ \d+) (?:to|in\/on) the (\w+ \d+)/.exec(observation)
  const treated = /You (?:clean|heat|cool) the (\w+ \d+) using/.exec(observation)
  const carried = /You are (?:carrying: a (\w+ \d+)|not carrying anything)/.exec(observation)
  if (taken) {
    const [, thing = '', from = ''] = taken
    house.held = thing
    house.contents.set(
      from,
      (house.contents.get(from) ?? []).filter((other) => other !== thing),
    )
  }
  if (placed) {
    const [, thing = '', to = ''] = placed
    house.held = null
    house.contents.set(to, [...(house.contents.get(to) ?? []), thing])
  }
  if (treated) house.treated.add(treated[1] ?? '')
  if (carried) house.held = carried[1] ?? null
}
