import type { Random } from '../../core/random/random.ts'

export function actionKey(action: string): string {
  return action.trim().replace(/\s+/g, ' ')
}

/**
 * Recognizes an answer without a readable action: it names none outside its reasoning, or nothing follows the label.
 * An action that the environment refuses is not unparsable.
 */
export function isUnparsable({ action, unnamed }: { action: string | null; unnamed?: true }): boolean {
  return action !== null && (unnamed === true || action.trim() === '')
}

/** Default number of answers sampled at a node (Yu et al. 2024, ExACT). */
export function usualProposals(branching: number): number {
  return Math.max(2 * branching, 20)
}

export type BranchingSchedule = 'constant' | 'decaying'

/**
 * The number of children of a node at a depth: `branching`, or max(2, trunc(branching · exp(−(ln 2 / coefficient) ·
 * depth))), which halves it every `coefficient` levels. It never exceeds `branching`, even if that is 1.
 *
 * @param depth - of the expanded node; 0 at the root
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for desktops: `bfactor_func`, coefficient 1
 */
export function branchingAt(
  depth: number,
  {
    branching,
    schedule,
    coefficient,
  }: { branching: number; schedule: BranchingSchedule; coefficient: number },
): number {
  if (schedule === 'constant') return branching
  // 2 ** −x is exact for whole x, but exp(−ln 2 · x) may fall just below a whole number.
  return Math.min(branching, Math.max(2, Math.trunc(branching * 2 ** (-depth / coefficient))))
}

export interface ProposalGroup<Proposal> {
  proposal: Proposal
  count: number
  /** P(a|s); the priors of the kept groups sum to 1. */
  prior: number
}

export type ProposalChoice = 'best' | 'sample' | 'random'

export interface GroupingOptions {
  branching: number
  choose: ProposalChoice
  /** Temperature of the priors, above 0: 1 keeps the shares of the samples, more evens them out. */
  temperature?: number
  random: Random
}

/**
 * Groups sampled proposals by their action. The shares of the kept groups become their priors: softmax(ln(share) /
 * temperature). The groups return most frequent first, of equals the first seen, so that a rule that breaks ties by
 * first index prefers frequent actions. Answers without a readable action are left out, unless there are no others:
 * then they form one group, with prior 0.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), action proposals; choice and temperature as in its code for desktops
 * @example
 * groupProposals([{ action: 'go' }, { action: 'look' }, { action: ' go' }], { branching: 5, choose: 'best', random })
 * // [{ proposal: { action: 'go' }, count: 2, prior: 2/3 }, { proposal: { action: 'look' }, count: 1, prior: 1/3 }]
 */
export function groupProposals<Proposal extends { action: string; unnamed?: true }>(
  proposals: readonly Proposal[],
  { branching, choose, temperature = 1, random }: GroupingOptions,
): ProposalGroup<Proposal>[] {
  const groups = new Map<string, ProposalGroup<Proposal>>()
  for (const proposal of proposals) {
    const key = isUnparsable(proposal) ? '' : actionKey(proposal.action)
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { proposal, count: 1, prior: 0 })
  }
  if (groups.size > 1) groups.delete('')
  else if (groups.has('')) return [...groups.values()]
  // Sorting is stable: groups of equal count stay in the order of their first sample.
  const byCount = [...groups.values()].sort((one, other) => other.count - one.count)
  const kept = choose === 'best' ? byCount.slice(0, branching) : draw(byCount, branching, choose, random)
  return withPriors(kept, temperature)
}

function draw<Proposal>(
  groups: readonly ProposalGroup<Proposal>[],
  count: number,
  choose: 'sample' | 'random',
  random: Random,
): ProposalGroup<Proposal>[] {
  const weightOf = (group: ProposalGroup<Proposal>) => (choose === 'sample' ? group.count : 1)
  const left = [...groups]
  for (let drawn = 0; drawn < count && left.length > 0; drawn += 1) {
    let rest = random() * left.reduce((sum, group) => sum + weightOf(group), 0)
    // Weights are whole numbers and random() is below 1, so some group always holds the point.
    const index = left.findIndex((group) => {
      rest -= weightOf(group)
      return rest < 0
    })
    left.splice(index, 1)
  }
  return groups.filter((group) => !left.includes(group))
}

function withPriors<Proposal>(
  groups: readonly ProposalGroup<Proposal>[],
  temperature: number,
): ProposalGroup<Proposal>[] {
  // exp(ln(count / most) / temperature): the softmax of the logarithms of the shares, without overflow.
  const most = Math.max(...groups.map(({ count }) => count))
  const weights = groups.map(({ count }) => (count / most) ** (1 / temperature))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return groups.map((group, index) => ({ ...group, prior: (weights[index] as number) / total }))
}
