import { formatCount, formatMoney, formatNumber, noNumber } from '../shared/core/client/format-quantity.ts'
import { workWord } from '../shared/core/client/status-words.ts'
import type { RolloutGroup, RolloutRun } from '../shared/core/contracts/rollout.ts'
import { formatTable } from './format-table.ts'

const right = 'right' as const

export function formatRollouts(rollouts: readonly RolloutRun[], width: number): string[] {
  if (rollouts.length === 0) return ['No rollouts yet. Begin one: espalier rollouts start --help']
  const rows = rollouts.map((rollout) => [
    rollout.id,
    workWord(rollout.status),
    rollout.version,
    groupsOf(rollout),
    formatCount(rollout.group_size),
    formatMoney(rollout.usage.cost),
  ])
  const columns = [
    { header: 'rollout' },
    { header: 'status' },
    { header: 'policy', flexible: true },
    { header: 'groups', align: right },
    { header: 'members', align: right },
    { header: 'cost', align: right },
  ]
  return formatTable(columns, rows, width)
}

export function formatRollout(rollout: RolloutRun): string[] {
  const { groups, id, in_flight, run, status, status_reason, usage, version } = rollout
  return [
    `rollout   ${id}`,
    `status    ${workWord(status)}${status_reason === null ? '' : `: ${status_reason}`}`,
    `groups    ${groupsOf(rollout)} ended, ${formatCount(groups.complete)} complete, ${formatCount(rollout.group_size)} members each`,
    `policy    ${version}`,
    `in flight ${formatCount(in_flight)} at most`,
    `took      ${formatMoney(usage.cost)}, ${formatCount(usage.output_tokens)} answer tokens`,
    `run       ${run}`,
  ]
}

export function formatGroup({ flat, index, members, rewards, task, versions }: RolloutGroup): string {
  const missing = members.flatMap(({ missing }) => missing ?? [])
  const parts = [
    `group ${index}`,
    task,
    rewards === null
      ? `reward ${noNumber}`
      : `reward ${formatNumber(rewards.mean)} ± ${formatNumber(rewards.std)}`,
    flat ? 'no signal' : null,
    versions.length === 0 ? null : `policy ${versions.join(', ')}`,
    missing.length === 0 ? null : `${missing.length} missing (${[...new Set(missing)].join(', ')})`,
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

function groupsOf({ groups }: RolloutRun): string {
  return `${formatCount(groups.finished)}/${formatCount(groups.total)}`
}
