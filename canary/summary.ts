import type { CanaryResult, CanaryRunResult, Spread } from './canary-result.ts'

const stays =
  'What stays: the tenant’s counters of money and tokens, lines of logs, traces and metrics, and hosts until they are idle.'

export function summarizeCanary(result: CanaryResult): string {
  const { findings, runs, api, refusals, measures, cost, removed, notes } = result
  const routes = Object.entries(api).map(
    ([route, spread]) => `  ${route.padEnd(48)} ${spreadText(spread, 'ms', 0)}`,
  )
  const refused = Object.entries(refusals).map(([status, count]) => `${count} × ${status}`)
  const total = cost.reduce((sum, { dollars }) => sum + (dollars ?? 0), 0)
  const lines = [
    ...runs.flatMap(runLines),
    'API, from here:',
    ...routes,
    `  answers of 429 and 5xx: ${refused.length === 0 ? 'none' : refused.join(', ')}`,
    ...(measures === null
      ? []
      : [
          `Transactions that met others: ${measures.dynamodb.conflicts}; throttled requests to the table: ${measures.dynamodb.throttles}`,
          'Cost at list prices, by the meters of the whole stage in that time:',
          ...cost.map(
            ({ service, dollars, counted }) =>
              `  ${service.padEnd(10)} ${(dollars === null ? '—' : `$${dollars.toFixed(4)}`).padStart(9)}  ${counted}`,
          ),
          `  ${'sum'.padEnd(10)} ${`$${total.toFixed(4)}`.padStart(9)}`,
        ]),
    ...notes,
    ...(removed === null ? [] : [`Removed: ${removed.objects} objects, ${removed.items} items. ${stays}`]),
    ...findings.map((finding) => `finding   ${finding}`),
    findings.length === 0
      ? 'Every tree is the same as on this machine.'
      : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}.`,
  ]
  return lines.join('\n')
}

function runLines({
  name,
  run,
  status,
  seconds,
  episodes,
  sameTrees,
  working,
  hops,
}: CanaryRunResult): string[] {
  const { total = 0, succeeded = 0, failed = 0, limited = 0, errored = 0 } = episodes
  const taken = Object.entries(hops).map(([count, many]) => `${many} × ${count}`)
  return [
    `${name} (${run}): ${status} in ${seconds.toFixed(1)} s`,
    `  episodes ${total}: ${succeeded} succeeded, ${failed} failed, ${limited} limited, ${errored} errored; trees the same: ${sameTrees}`,
    `  an episode: ${spreadText(working, 's', 1)}`,
    `  taken up by workers, episodes × times: ${taken.join(', ')}`,
  ]
}

function spreadText({ count, p50, p90, p99 }: Spread, unit: string, digits: number): string {
  const [half, nine, most] = [p50, p90, p99].map((value) => `${value.toFixed(digits)} ${unit}`)
  return `p50 ${half}, p90 ${nine}, p99 ${most} (${count})`
}
