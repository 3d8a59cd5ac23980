import { definitions } from '../../environments/environments.ts'

const known = definitions.flatMap(({ id, outside }) => (outside === undefined ? [] : [{ id, ...outside }]))

/** The largest rewards in files of AgentGym and Agent-R, of environments whose servers return no shares. */
export const scoreScales: ReadonlyMap<string, number> = new Map(
  known.flatMap(({ id, largestReward }) => (largestReward === undefined ? [] : [[id, largestReward]])),
)

export function environmentNamed(name: string): string {
  return known.find((each) => each.name === name)?.id ?? name
}

export function etoHead(environment: string): number | undefined {
  const id = environmentNamed(environment)
  return known.find((each) => each.id === id)?.etoHead
}

function outsideOf(environment: string) {
  return known.find(({ id, isFamily }) => id === environment || (isFamily && environment.startsWith(id)))
}

/** Splits AgentGym's item ids: `webshop_6` is task 6 of `webshop`. Null for any other id. */
export function splitItemId(id: string): { environment: string; task: string } | null {
  const [, name, task] = /^([a-z][a-z0-9-]*)_(\d+)$/.exec(id) ?? []
  return name === undefined || task === undefined ? null : { environment: environmentNamed(name), task }
}

/** Our id of a task, if it is one of ours. Any other stays unchanged, but loses the environment's name before it. */
export function taskNamed(environment: string, id: string): string {
  const item = splitItemId(id)
  const plain = item?.environment === environment ? item.task : id
  return outsideOf(environment)?.taskNamed(plain) ?? plain
}

// The number that AgentGym's servers and Agent-R's files give a task; null without one.
export function numberOfTask(environment: string, task: string): number | null {
  const own = outsideOf(environment)?.numberOf?.(task) ?? null
  if (own !== null) return own
  const number = Number(/(\d{1,10})$/.exec(task)?.[1] ?? Number.NaN)
  return taskNamed(environment, String(number)) === task ? number : null
}
