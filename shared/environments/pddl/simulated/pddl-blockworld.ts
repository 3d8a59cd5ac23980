import { matches, type PddlScene } from './pddl-prompt.ts'

export function planBlockworld({ facts, goal }: PddlScene): string | null {
  const below = new Map(matches(facts, '* is on *') as [string, string][])
  const wanted = new Map(matches(goal, '* is on *') as [string, string][])
  const clear = matches(facts, '* is clear').flat()
  const takenBy = new Map([...wanted].map(([upper, lower]) => [lower, upper]))

  const isSettled = (block: string): boolean => {
    const lower = below.get(block)
    const place = wanted.get(block)
    if (place !== undefined && place !== lower) return false
    if (lower === undefined) return true
    const rightful = takenBy.get(lower)
    return (rightful === undefined || rightful === block) && isSettled(lower)
  }
  const target = (block: string): string | null => {
    const lower = wanted.get(block)
    return lower !== undefined && clear.includes(lower) && isSettled(lower) ? lower : null
  }

  const held = matches(facts, 'the arm holds *')[0]?.[0]
  if (held !== undefined) {
    const lower = target(held)
    return lower === null ? `put down ${held}` : `stack ${held} on ${lower}`
  }
  const restless = clear.filter((block) => !isSettled(block))
  const ready = restless.find((block) => target(block) !== null) ?? restless.find((block) => below.has(block))
  if (ready === undefined) return null
  const lower = below.get(ready)
  return lower === undefined ? `pick up ${ready}` : `unstack ${ready} from ${lower}`
}
