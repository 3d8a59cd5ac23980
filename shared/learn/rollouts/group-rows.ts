import type { JsonObject } from '../../core/contracts/json.ts'
import type { GroupRows, RolloutGroup } from '../../core/contracts/rollout.ts'
import { describeInvalid } from '../../core/contracts/validation/describe-invalid.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import type { TaskGroup } from '../../data/datasets/attempt.ts'
import type { Attempts } from '../../data/datasets/attempts.ts'
import type { DatasetKind, FoundRow } from '../../data/datasets/kind.ts'
import { type CreditParameters, creditParameters } from '../../data/datasets/kinds/rollouts/group-branches.ts'
import { rolloutTrees } from '../../data/datasets/kinds/rollouts/rollout-trees.ts'
import { tokenRollouts } from '../../data/datasets/kinds/rollouts/rollouts.ts'

type Row = GroupRows['rows'][number]['row']

const kinds = { rollouts: tokenRollouts, 'rollout-trees': rolloutTrees }

export function readCredit(credit: JsonObject): CreditParameters {
  const parsed = creditParameters.safeParse({ flat: 'keep', ...credit })
  if (parsed.success) return parsed.data
  throw describeInvalid(parsed.error, {
    part: 'json',
    schema: creditParameters,
    value: credit,
    at: ['credit'],
  })
}

/** @returns the members with a reward as attempts at their task; null if there are none */
export async function openMembers(
  attempts: Attempts,
  run: string,
  { members }: RolloutGroup,
): Promise<TaskGroup | null> {
  const present = members.filter(({ missing }) => missing === null)
  const opened = await Promise.all(present.map(({ episode }) => attempts.open(run, episode)))
  const [first] = opened
  if (first === undefined) return null
  const { environment, data, task } = first
  return { environment, data, task, attempts: opened, experts: [] }
}

/** The rows of a finished group, by the dataset kind: missing members are outside its statistics. */
export async function rowsOfGroup(
  attempts: Attempts,
  {
    run,
    group,
    credit,
    form,
  }: { run: string; group: RolloutGroup; credit: JsonObject; form: keyof typeof kinds },
): Promise<GroupRows> {
  const task = await openMembers(attempts, run, group)
  const versions = new Map(group.members.map(({ episode, version }) => [episode, version]))
  const found: GroupRows = { ...group, rows: [], left_out: [] }
  if (task === null) return found
  const kind = kinds[form] as DatasetKind<CreditParameters, Row>
  const scope = { random: (key: string) => seededRandom('rollouts', run, key) }
  for await (const finding of kind.rows(task, readCredit(credit), scope)) {
    if ('left_out' in finding) {
      found.left_out.push({ episode: finding.attempt.episode, reason: finding.left_out })
      continue
    }
    const { row, origin } = finding as FoundRow<Row>
    const { episode } = origin.attempt
    found.rows.push({ episode, version: versions.get(episode) ?? null, row })
  }
  return found
}
