import { planBarman } from './pddl-barman.ts'
import { matches, type PddlScene } from './pddl-prompt.ts'

const plans = {
  gripper: planGripper,
  tyreworld: planTyreworld,
  barman: planBarman,
  blockworld: planBlockworld,
} as const

export type RobotDomainName = keyof typeof plans

export function domainOf({ objects, facts }: PddlScene): RobotDomainName | null {
  if (objects.has('gripper') && objects.has('room')) return 'gripper'
  if (objects.has('hub')) return 'tyreworld'
  if (objects.has('shaker')) return 'barman'
  const hasArm = facts.has('the arm is empty') || [...facts].some((fact) => fact.startsWith('the arm holds '))
  return hasArm ? 'blockworld' : null
}

export function planOf(scene: PddlScene): (scene: PddlScene) => string | null {
  const domain = domainOf(scene)
  return domain === null ? () => null : plans[domain]
}

function planTyreworld({ facts, goal }: PddlScene): string | null {
  const has = (thing: string) => facts.has(`the robot has ${thing}`)
  const open = goal.filter((part) => !facts.has(part))
  const parts = (form: string) => matches(open, form)
  for (const [wheel = ''] of parts('* is inflated')) return need('pump') ?? `inflate ${wheel}`
  for (const [wheel = '', hub = ''] of parts('wheel * is on *')) return mount(wheel, hub)
  for (const [nut = '', hub = ''] of parts('* is tight on *')) {
    if (has(nut)) return need('wrench') ?? raise(hub) ?? `do up ${nut} on ${hub}`
    if (facts.has(`${hub} is jacked up`)) return `jack down ${hub}`
    return need('wrench') ?? `tighten ${nut} on ${hub}`
  }
  for (const [thing = '', container = ''] of parts('* is in *')) {
    return need(thing) ?? opened(container) ?? `put ${thing} away in ${container}`
  }
  for (const [container = ''] of parts('* is closed')) return `close ${container}`
  return null

  function mount(wheel: string, hub: string): string {
    const [[old] = []] = matches(facts, `wheel * is on ${hub}`)
    if (old === undefined) return need(wheel) ?? raise(hub) ?? `put ${wheel} on ${hub}`
    const [[tight] = []] = matches(facts, `* is tight on ${hub}`)
    if (tight !== undefined) return need('wrench') ?? lower(hub) ?? `loosen ${tight} on ${hub}`
    const [[loose] = []] = matches(facts, `* is loose on ${hub}`)
    if (loose !== undefined) return need('wrench') ?? raise(hub) ?? `undo ${loose} on ${hub}`
    return raise(hub) ?? `remove ${old} from ${hub}`
  }

  function need(thing: string): string | null {
    if (has(thing)) return null
    const [[container] = []] = matches(facts, `${thing} is in *`)
    if (container !== undefined) return opened(container) ?? `fetch ${thing} from ${container}`
    const [[hub] = []] = matches(facts, '* is jacked up')
    return thing === 'jack' && hub !== undefined ? `jack down ${hub}` : null
  }

  function opened(container: string): string | null {
    return facts.has(`${container} is open`) ? null : `open ${container}`
  }

  function raise(hub: string): string | null {
    return facts.has(`${hub} is jacked up`) ? null : (need('jack') ?? `jack up ${hub}`)
  }

  function lower(hub: string): string | null {
    return facts.has(`${hub} is jacked up`) ? `jack down ${hub}` : null
  }
}

function planGripper({ facts, goal }: PddlScene): string | null {
  const here = matches(facts, 'the robot is at *')[0]?.[0]
  if (here === undefined) return null
  const wanted = new Map(matches(goal, '* is at *') as [string, string][])
  const held = matches(facts, 'gripper * holds *') as [string, string][]
  const misplaced = (matches(facts, '* is at *') as [string, string][]).filter(
    ([ball, room]) => wanted.has(ball) && wanted.get(ball) !== room,
  )
  for (const [gripper, ball] of held) {
    if ((wanted.get(ball) ?? here) === here) return `drop ${ball} at ${here} from ${gripper}`
  }
  const [free] = matches(facts, 'gripper * is free').flat()
  const heading = wanted.get(held[0]?.[1] ?? '')
  const waiting = misplaced.filter(([, room]) => room === here).map(([ball]) => ball)
  if (free !== undefined && waiting.length > 0) {
    const ball = waiting.find((each) => wanted.get(each) === heading) ?? firstOfLargest(waiting, wanted)
    return `pick up ${ball} at ${here} with ${free}`
  }
  const next = heading ?? largest(misplaced.map(([, room]) => room))
  return next === undefined ? null : `move from ${here} to ${next}`
}

function firstOfLargest(balls: readonly string[], wanted: ReadonlyMap<string, string>): string | undefined {
  const room = largest(balls.map((ball) => wanted.get(ball) ?? ''))
  return balls.find((ball) => wanted.get(ball) === room)
}

function largest(rooms: readonly string[]): string | undefined {
  const groups = [...Map.groupBy(rooms, (room) => room).values()]
  return groups.sort((one, other) => other.length - one.length)[0]?.[0]
}

function planBlockworld({ facts, goal }: PddlScene): string | null {
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
