/** What environments are called elsewhere (AgentGym, ETO), and here. */
const names: Readonly<Record<string, string>> = { sciworld: 'scienceworld' }

/** The environment's name here. */
export function environmentNamed(name: string): string {
  return names[name] ?? name
}

/** `webshop_6` is task 6 of `webshop`: AgentGym's way to number items. Null where the id is not made so. */
export function splitItemId(id: string): { environment: string; task: string } | null {
  const [, name, task] = /^([a-z][a-z0-9-]*)_(\d+)$/.exec(id) ?? []
  return name === undefined || task === undefined ? null : { environment: environmentNamed(name), task }
}

/**
 * The id that a task has here, where it is one of ours: WebShop's goals by their number, TextCraft's by AgentGym's (those
 * of a pack of its server's recipes), ALFWorld's games by their folder. Any other stays as it is, but for the environment's name in front of it.
 */
export function taskNamed(environment: string, id: string): string {
  const item = splitItemId(id)
  const plain = item?.environment === environment ? item.task : id
  if (environment === 'webshop' && /^\d+$/.test(plain)) return `webshop-${Number(plain)}`
  if (environment === 'textcraft' && /^\d+$/.test(plain)) return `textcraft_${Number(plain)}`
  if (environment.startsWith('alfworld')) {
    return /(?:^|\/)([^/]+\/[^/]+\/[^/]+)(?:\/game\.tw-pddl)?\/?$/.exec(plain)?.[1] ?? plain
  }
  return plain
}
