import type { RowOf } from '../../../../core/contracts/dataset-row.ts'
import type { TaskGroup } from '../../attempt.ts'
import type { DatasetKind, FoundRow } from '../../kind.ts'
import {
  type CreditedAttempt,
  type CreditedBranch,
  type CreditParameters,
  creditGroup,
  creditParameters,
} from './group-branches.ts'
import { type Sequence, sequencesOf } from './sequences.ts'
import { recordedTurns, type TokenTurn, type TurnOf } from './token-turns.ts'

type Row = RowOf<'rollout'>

/**
 * Each branch of a task's trees as the flat token sequences that were played: prompt, answers and the environment's
 * tokens between them, with a mask, log-probabilities, reward and advantages.
 */
export const tokenRollouts: DatasetKind<CreditParameters, Row> = {
  id: 'rollouts',
  description: 'Branches in exact tokens, with log-probabilities and advantages, for reinforcement learning.',
  source:
    'GRPO (arXiv 2402.03300), RLOO (2402.14740), Tree-GRPO (2509.21240), TreeRL (2506.11902), GiGPO (2505.10978), PPO with generalized advantages (1707.06347, 1506.02438)',
  rowType: 'rollout',
  showsPictures: false,
  equalRowsAreSamples: true,
  parameters: creditParameters,
  rows: creditedRows(rowsOf),
}

export function creditedRows<Found extends Row | RowOf<'rollout-tree'>>(
  rowsOf: (group: TaskGroup, each: CreditedAttempt, turnOf: TurnOf, members: number) => FoundRow<Found>[],
): DatasetKind<CreditParameters, Found>['rows'] {
  return async function* (group, options, scope) {
    const { credited, left_out } = await creditGroup(group, options, scope)
    yield* left_out
    const members = credited.reduce((sum, { branches }) => sum + branches.length, 0)
    for (const each of credited) {
      scope.signal?.throwIfAborted()
      const { attempt } = each
      const turnOf = recordedTurns(await attempt.journal(), await attempt.tokens())
      if (each.branches.some((branch) => turnsOf(branch, turnOf) === null))
        yield { attempt, left_out: 'no_tokens' }
      yield* rowsOf(group, each, turnOf, members)
    }
  }
}

export function groupName({ environment, data, task }: TaskGroup): string {
  return [environment, data, task].filter((part) => part !== null).join('/')
}

export function turnsOf({ steps }: CreditedBranch, turnOf: TurnOf): TokenTurn[] | null {
  const turns = steps.map(({ node }) => turnOf(node))
  return turns.includes(null) || turns.length === 0 ? null : (turns as TokenTurn[])
}

function rowsOf(
  group: TaskGroup,
  { attempt, branches }: CreditedAttempt,
  turnOf: TurnOf,
  members: number,
): FoundRow<Row>[] {
  return branches.flatMap((branch) => {
    const turns = turnsOf(branch, turnOf)
    if (turns === null) return []
    const node_ids = [0, ...branch.steps.map(({ node }) => node)]
    const sequences = sequencesOf(turns)
    return sequences.map(
      (sequence, part): FoundRow<Row> => ({
        row: {
          type: 'rollout',
          group: groupName(group),
          members,
          part,
          parts: sequences.length,
          ...tokensOf(sequence, branch),
          reward: branch.reward,
          ...samplingOf(turns),
        },
        origin: { attempt, node_ids, reward: branch.reward },
      }),
    )
  })
}

function tokensOf({ prompt, spans }: Sequence, { advantages }: CreditedBranch) {
  return {
    prompt_ids: [...prompt],
    completion_ids: spans.flatMap(({ ids }) => ids),
    completion_mask: spans.flatMap(({ answer, ids }) => ids.map(() => (answer === null ? 0 : 1))),
    logprobs: spans.flatMap(({ answer, ids }) => answer?.logprobs ?? ids.map(() => null)),
    advantages:
      advantages &&
      spans.flatMap(({ answer, ids }) =>
        ids.map(() => (answer === null ? 0 : (advantages[answer.step] as number))),
      ),
  }
}

export function samplingOf(turns: readonly TokenTurn[]): Pick<Row, 'versions' | 'temperature'> {
  const temperatures = new Set(turns.map(({ temperature }) => temperature))
  const [temperature = null] = temperatures
  return {
    versions: [...new Set(turns.map(({ version }) => version))],
    temperature: temperatures.size === 1 ? temperature : null,
  }
}
