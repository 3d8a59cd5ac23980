import { matches, type PddlScene } from './pddl-prompt.ts'

export function planTyreworld({ facts, goal }: PddlScene): string | null {
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
