import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatDifference } from '../../shared/core/client/format-quantity.ts'
import { pairedDifference, type Solved, solvedIn, solvedRate } from '../demo-loop/demo-report.ts'
import type { Arm } from './rl-requests.ts'

export interface RlOutcome {
  environment: string
  seed: number
  before: Solved
  after: Record<Arm, Solved>
  /** Input and output tokens of exploration, over all rounds. */
  tokens: Record<Arm, number>
}

/** Reads the evaluations of a seed's two loops. @throws Error if one has none */
export async function readRlOutcome(
  client: ApiClient,
  { environment, seed, loops }: { environment: string; seed: number; loops: Record<Arm, string> },
): Promise<RlOutcome> {
  const [chain, tree] = await Promise.all([client.loop(loops.grpo), client.loop(loops['tree-grpo'])])
  const solved = async (run: string | null | undefined) => {
    if (run == null) throw new Error('A loop ended without an evaluation.')
    return solvedIn(client, run)
  }
  const tokensOf = ({ rounds }: typeof chain) =>
    rounds
      .flatMap(({ stages }) => stages.filter(({ kind }) => kind === 'explore'))
      .reduce((sum, { facts }) => sum + Number(facts.tokens), 0)
  return {
    environment,
    seed,
    before: await solved(chain.rounds[0]?.evaluation),
    after: {
      grpo: await solved(chain.rounds.at(-1)?.evaluation),
      'tree-grpo': await solved(tree.rounds.at(-1)?.evaluation),
    },
    tokens: { grpo: tokensOf(chain), 'tree-grpo': tokensOf(tree) },
  }
}

const header = [
  '| environment | seed | before | chains (grpo) | trees (tree-grpo) | tokens of chains, trees | chains − before | trees − before | trees − chains |',
  '|---|---|---|---|---|---|---|---|---|',
]

export function formatRlOutcomes(outcomes: readonly RlOutcome[]): string[] {
  const byWorld = Map.groupBy(outcomes, ({ environment }) => environment)
  return [
    ...header,
    ...[...byWorld].flatMap(([environment, seeds]) => [
      ...seeds.map((outcome) => rowOf(environment, String(outcome.seed), [outcome])),
      ...(seeds.length < 2 ? [] : [rowOf(environment, `all ${seeds.length}`, seeds)]),
    ]),
    '',
    'Shares of held-out tasks solved at temperature 0. Differences have 95 % intervals, paired by task; over several seeds each task counts once.',
  ]
}

function rowOf(environment: string, seed: string, outcomes: readonly RlOutcome[]): string {
  const rate = (of: (outcome: RlOutcome) => Solved) => {
    const [only, ...others] = outcomes.map((outcome) => solvedRate(of(outcome)))
    return others.length === 0 ? only : ''
  }
  const difference = (one: (outcome: RlOutcome) => Solved, other: (outcome: RlOutcome) => Solved) =>
    formatDifference(pairedDifference(outcomes.map((outcome) => [one(outcome), other(outcome)])))
  const tokens = (arm: Arm) =>
    outcomes.reduce((sum, outcome) => sum + outcome.tokens[arm], 0).toLocaleString('en')
  const before = ({ before }: RlOutcome) => before
  const chains = ({ after }: RlOutcome) => after.grpo
  const trees = ({ after }: RlOutcome) => after['tree-grpo']
  const cells = [
    environment,
    seed,
    rate(before),
    rate(chains),
    rate(trees),
    `${tokens('grpo')}, ${tokens('tree-grpo')}`,
    difference(chains, before),
    difference(trees, before),
    difference(trees, chains),
  ]
  return `| ${cells.join(' | ')} |`
}
