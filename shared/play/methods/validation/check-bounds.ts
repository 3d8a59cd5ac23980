import type { EpisodeLimits } from '../../../core/contracts/limits.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { countCalls } from '../effort.ts'
import type { CaseChecks } from './check-case.ts'
import { failed, type LawOutcome, type LawOutcomes, passed, skipped } from './laws.ts'
import { type PlayedCase, playCase } from './play-case.ts'

export async function checkBounds(checks: CaseChecks, whole: PlayedCase): Promise<LawOutcomes> {
  const { method, parameters, played } = checks
  const isPlayed = played.purpose === 'play'
  const tree = whole.summary?.tree as Tree | null | undefined
  const none = skipped('It is for episodes that play a task.')
  return {
    limits: isPlayed ? await checkLimits(checks, whole) : none,
    effort: checkEffort(checks, whole),
    roles: checkRoles(checks, whole),
    horizon: isPlayed && tree ? checkHorizon(checks, tree) : none,
    branches: !isPlayed || !tree ? none : method.branches ? passed : checkBranches(checks, tree, parameters),
  }
}

const place = ({ played: { environment, task } }: CaseChecks, effect: string | null = null) => ({
  environment,
  task,
  effect,
})

function usedOf({ summary }: PlayedCase): Record<'steps' | 'turns' | 'tokens' | 'cost', number> {
  const { model_calls = 0, input_tokens = 0, output_tokens = 0, cost = 0 } = summary?.usage ?? {}
  return {
    steps: summary?.steps ?? 0,
    turns: model_calls,
    tokens: input_tokens + output_tokens,
    cost: cost ?? 0,
  }
}

/** Plays with half of the whole episode's usage. Effects in progress may still finish, and none begins after that. */
async function checkLimits(checks: CaseChecks, whole: PlayedCase): Promise<LawOutcome> {
  const { parts, played } = checks
  const used = usedOf(whole)
  const largest = callsOf(whole).reduce(
    (most, { n, tokens }) => ({ n: Math.max(most.n, n), tokens: Math.max(most.tokens, tokens) }),
    { n: 1, tokens: 0 },
  )
  const atOnce = Math.max(1, whole.mostAtOnce)
  const slack = {
    steps: largest.n * atOnce,
    turns: 0,
    tokens: largest.tokens * atOnce,
    cost: used.tokens === 0 ? 0 : (largest.tokens * atOnce * used.cost) / used.tokens,
  }
  let checked = 0
  for (const name of ['steps', 'turns', 'tokens', 'cost'] as const) {
    const limit = name === 'cost' ? used.cost / 2 : Math.floor(used[name] / 2)
    if (limit <= 0) continue
    checked += 1
    const limits: EpisodeLimits = { [name]: limit }
    const limited = await playCase(parts, played, { limits })
    const { outcome } = limited
    const at = place(checks)
    const came = usedOf(limited)[name]
    if (outcome.type !== 'ended')
      return failed(
        `With a limit of ${limit} ${name} it did not come to its end: ${outcome.type === 'failed' ? String(outcome.error) : outcome.message}`,
        at,
      )
    if (came <= limit + slack[name] + 1e-9) continue
    return failed(`A limit of ${limit} ${name} did not stop it.`, at, {
      expected: `at most ${limit + slack[name]} ${name}, with what was under way`,
      came: `${came} ${name}`,
    })
  }
  return checked > 0 ? passed : skipped('It took too little to be limited.')
}

interface Call {
  role: string
  n: number
  tokens: number
}

function callsOf({ effects, records }: PlayedCase): Call[] {
  const settings = new Map(
    records.flatMap((record) =>
      'request' in record && 'value' in record ? [[record.request, record.value.settings] as const] : [],
    ),
  )
  return effects.flatMap(({ request, usage }) => {
    const given = settings.get(request)
    if (typeof given !== 'object' || given === null || !('role' in given)) return []
    const { role, n = 1 } = given as { role: string; n?: number }
    return [{ role, n, tokens: (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0) }]
  })
}

function checkEffort(checks: CaseChecks, whole: PlayedCase): LawOutcome {
  const { longest, method, parameters, played } = checks
  const effort =
    played.purpose === 'learn'
      ? method.learningEffort?.(parameters)
      : method.effort(parameters, { max_steps: longest, steps: Number.POSITIVE_INFINITY })
  if (effort === undefined) return skipped('It gives no figures for learning episodes (learningEffort).')
  if (effort.assumed === true)
    return skipped('It gives no figures of its own; forecasts assume one call for each action, and say so.')
  const counted = new Map<string, number>()
  for (const { role } of callsOf(whole)) counted.set(role, (counted.get(role) ?? 0) + 1)
  const most = new Map<string, number>([['policy', countCalls(effort.at_most)]])
  for (const { role, at_most } of effort.others ?? [])
    most.set(role, (most.get(role) ?? 0) + countCalls(at_most))
  for (const [role, calls] of counted) {
    const bound = most.get(role) ?? 0
    if (calls <= bound + 1e-9) continue
    return failed(`It made more calls of ${role} than effort() allows.`, place(checks), {
      expected: `at most ${bound}`,
      came: `${calls}`,
    })
  }
  if (whole.mostAtOnce <= effort.side_by_side) return passed
  return failed('More of its calls were under way at once than effort() says.', place(checks), {
    expected: `side_by_side: ${effort.side_by_side}`,
    came: `${whole.mostAtOnce}`,
  })
}

function checkRoles(checks: CaseChecks, whole: PlayedCase): LawOutcome {
  const { method, parameters } = checks
  const declared = new Set<string>(['policy', ...(method.roles?.(parameters) ?? [])])
  const { sharing } = method
  // Notes are found by vectors if a run names a model for that.
  if (sharing !== undefined) declared.add('embedding')
  const stray = callsOf(whole).find(({ role }) => !declared.has(role))
  if (stray === undefined) return passed
  return failed(`It asks the role "${stray.role}", which it does not declare.`, place(checks), {
    expected: [...declared].join(', '),
    came: stray.role,
  })
}

function checkHorizon(checks: CaseChecks, { nodes }: Tree): LawOutcome {
  const { method, parameters, longest } = checks
  const { name, beyond } = method.horizon(parameters)
  const given = parameters[name]
  const bound = typeof given === 'number' ? given + beyond : longest
  const deepest = nodes.reduce((most, { depth }) => Math.max(most, depth), 0)
  if (deepest <= bound) return passed
  return failed(`A trajectory has more actions than "${name}" allows.`, place(checks), {
    expected: `at most ${bound}`,
    came: `${deepest}`,
  })
}

/**
 * Along one path every node has one child. Another path may begin at the start once one is over. If one was left
 * after a single action with its task still open, the method returned for another action.
 */
function checkBranches(
  checks: CaseChecks,
  { nodes }: Tree,
  parameters: CaseChecks['parameters'],
): LawOutcome {
  const children = new Map<number, number[]>()
  for (const [index, { parent }] of nodes.entries()) {
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), index])
  }
  const forked = [...children].find(([index, own]) => index !== 0 && own.length > 1)
  const { name } = checks.method.horizon(parameters)
  const isShort = parameters[name] === 1
  const left = (children.get(0) ?? []).filter(
    (index) => !children.has(index) && nodes[index]?.terminal !== true,
  )
  const isForkedAtStart = !isShort && (children.get(0)?.length ?? 0) > 1 && left.length > 1
  if (forked === undefined && !isForkedAtStart) return passed
  const [index, own] = forked ?? [0, children.get(0) ?? []]
  return failed(`It took ${own.length} actions in one state, and declares branches: false.`, place(checks), {
    expected: 'one action in each state',
    came: `the nodes ${own.join(', ')} below node ${index}`,
  })
}
