import type { MethodLaw, MethodLawId } from '../../../core/contracts/method-validation.ts'

export interface Law {
  description: string
  mend: string
}

export const laws: Readonly<Record<MethodLawId, Law>> = {
  ends: {
    description: 'play() comes to its end, or to a call of its scope, in a moment',
    mend: 'Bound every loop: by node.done, by the horizon, or by a count.',
  },
  plays: {
    description: 'an episode comes to its end without an error',
    mend: 'What the message names is thrown by the method itself. Answers of models and observations may be any text.',
  },
  waits: {
    description: 'it waits for nothing but its scope',
    mend: 'Await only what functions of the scope return: no timers, files, network, nor promises that you make yourself.',
  },
  keys: {
    description: 'no effect is keyed twice',
    mend: 'Put a count into the key, such as `sample/3`: at one node, each call of propose and ask has a key of its own.',
  },
  'no-clock': {
    description: 'its code asks no clock, no unseeded randomness and no network',
    mend: 'Take numbers from scope.random(key), working time from scope.elapsed(), and ask models through the scope.',
  },
  'same-again': {
    description: 'the same seed and answers give the same journal and tree',
    mend: 'Keep nothing outside of play(): no variable of the module, no cache. Take randomness from scope.random(key).',
  },
  'any-order': {
    description: 'the tree does not depend on which answer comes first',
    mend: 'Wait for all calls made side by side (Promise.all), and then take steps in the order of asking.',
  },
  replay: {
    description: 'a finished journal is played again without a question, to the same tree',
    mend: 'All that decides what is asked must come from the scope: see same-again.',
  },
  resume: {
    description: 'killed after each of its effects and taken up again, it comes to the same bytes',
    mend: 'All that decides what is asked must come from the scope: see same-again and any-order.',
  },
  limits: {
    description: 'limits on steps, turns, tokens and money stop it',
    mend: 'Take only steps that the last answers propose, and await each call before the next steps.',
  },
  effort: {
    description: 'it makes no more calls than effort() says, nor more side by side',
    mend: 'Correct at_most or side_by_side of effort(): reservations of money go by them.',
  },
  roles: {
    description: 'it asks the policy and the roles that it declares',
    mend: 'Name the role in roles(parameters), and in `others` of effort().',
  },
  horizon: {
    description: 'no trajectory is longer than the parameter of horizon() says',
    mend: 'Compare node.depth with the parameter, or with scope.defaultMaxSteps where it was not given.',
  },
  branches: {
    description: 'it goes back to earlier states only where it declares branches',
    mend: 'Say branches: true; environments that cannot go back then refuse it. Or play along one path.',
  },
  extend: {
    description: 'a larger extendable parameter goes on with the tree, and comes to the larger tree',
    mend: 'Leave the parameter out of extendable(), or see that what was played with the smaller value is played alike with the larger.',
  },
}

export type LawOutcome = Pick<MethodLaw, 'status' | 'reason' | 'at' | 'expected' | 'came'>

export type LawOutcomes = Partial<Record<MethodLawId, LawOutcome>>

export const passed: LawOutcome = { status: 'passed', reason: null, at: null, expected: null, came: null }

export function skipped(reason: string): LawOutcome {
  return { ...passed, status: 'skipped', reason }
}

export function failed(
  reason: string,
  at: NonNullable<LawOutcome['at']>,
  difference: { expected: string; came: string } | null = null,
): LawOutcome {
  const { expected = null, came = null } = difference ?? {}
  return { status: 'failed', reason, at, expected, came }
}

export function mergeOutcomes(cases: readonly LawOutcomes[]): MethodLaw[] {
  return (Object.entries(laws) as [MethodLawId, Law][]).map(([id, { description, mend }]) => {
    const all = cases.flatMap((outcomes) => outcomes[id] ?? [])
    const of = (status: LawOutcome['status']) => all.find((outcome) => outcome.status === status)
    const outcome = of('failed') ?? of('passed') ?? of('skipped') ?? skipped('It was not reached.')
    return { id, description, ...outcome, mend: outcome.status === 'failed' ? mend : null }
  })
}
