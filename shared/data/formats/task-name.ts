import { etoGame, gameNumber, gameNumbered } from '../../environments/scienceworld/game-numbers.ts'

/** Other projects' names of environments (AgentGym, ETO), mapped to ours. */
const names: Readonly<Record<string, string>> = { sciworld: 'scienceworld' }

/** The largest rewards in files of AgentGym and Agent-R, of environments whose servers return no shares. */
export const scoreScales: ReadonlyMap<string, number> = new Map([['scienceworld', 100]])

export function environmentNamed(name: string): string {
  return names[name] ?? name
}

/** Splits AgentGym's item ids: `webshop_6` is task 6 of `webshop`. Null for any other id. */
export function splitItemId(id: string): { environment: string; task: string } | null {
  const [, name, task] = /^([a-z][a-z0-9-]*)_(\d+)$/.exec(id) ?? []
  return name === undefined || task === undefined ? null : { environment: environmentNamed(name), task }
}

/**
 * Our id of a task, if it is one of ours: WebShop's goals by their number, TextCraft's by AgentGym's (those of a pack
 * of its server's recipes), ScienceWorld's by AgentGym's or by ETO's pair, ALFWorld's games by their folder. Any other
 * stays unchanged, but loses the environment's name before it.
 */
export function taskNamed(environment: string, id: string): string {
  const item = splitItemId(id)
  const isScience = environment.startsWith('scienceworld')
  const isItem = item?.environment === environment || (isScience && item?.environment === 'scienceworld')
  const plain = isItem ? (item as { task: string }).task : id
  if (isScience) return (/^\d+$/.test(plain) ? gameNumbered(Number(plain)) : etoGame(plain)) ?? plain
  if (environment === 'webshop' && /^\d+$/.test(plain)) return `webshop-${Number(plain)}`
  if (environment === 'textcraft' && /^\d+$/.test(plain)) return `textcraft_${Number(plain)}`
  if (environment.startsWith('alfworld')) {
    return /(?:^|\/)([^/]+\/[^/]+\/[^/]+)(?:\/game\.tw-pddl)?\/?$/.exec(plain)?.[1] ?? plain
  }
  return plain
}

// The number that AgentGym's servers and Agent-R's files give a task; null without one.
export function numberOfTask(environment: string, task: string): number | null {
  const science = environment.startsWith('scienceworld') ? gameNumber(task) : null
  if (science !== null) return science
  const number = Number(/(\d{1,10})$/.exec(task)?.[1] ?? Number.NaN)
  return taskNamed(environment, String(number)) === task ? number : null
}
