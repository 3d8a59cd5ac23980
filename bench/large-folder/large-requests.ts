import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { StampedFolder } from './stamp-folder.ts'

export interface LargeRequest {
  name: string
  path: string
  body?: object
}

export function largeRequests({ large, runs: [first = '', second = first] }: StampedFolder): LargeRequest[] {
  const episodes = `/v1/runs/${large}/episodes`
  return [
    { name: 'health', path: '/health' },
    { name: 'run', path: `/v1/runs/${large}` },
    { name: 'runs', path: '/v1/runs?limit=50' },
    { name: 'runs, after', path: `/v1/runs?limit=50&after=${second}` },
    { name: 'runs by status', path: '/v1/runs?limit=50&status=failed' },
    { name: 'runs by name', path: '/v1/runs?limit=50&name=none' },
    { name: 'runs by environment', path: `/v1/runs?limit=1000&environment=${exampleEnvironment}` },
    { name: 'experiments', path: '/v1/experiments' },
    { name: 'episodes', path: `${episodes}?limit=100` },
    { name: 'episodes, last page', path: `${episodes}?limit=100&order=desc` },
    { name: 'episodes by status', path: `${episodes}?limit=100&status=errored` },
    { name: 'episodes by task', path: `${episodes}?limit=100&task=none` },
    { name: 'episodes by cost', path: `${episodes}?limit=100&sort=cost&order=desc` },
    { name: 'episodes by tokens', path: `${episodes}?limit=100&sort=tokens` },
    { name: 'report', path: `/v1/runs/${large}/report` },
    { name: 'report as CSV', path: `/v1/runs/${large}/report?format=csv` },
    { name: 'success rates', path: `/v1/reports/success?runs=${large},${first}` },
    { name: 'comparison', path: '/v1/reports/compare', body: { runs: [large, first] } },
    { name: 'leaderboard', path: '/v1/reports/leaderboard', body: { runs: [large, first, second] } },
    { name: 'search', path: '/v1/transcripts?q=apple&limit=20' },
    { name: 'metrics', path: '/metrics' },
  ]
}

/** @throws Error with the answer's text when it is refused */
export async function askFor(address: string, { body, path }: LargeRequest): Promise<string> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(new URL(path, address), init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
  return text
}
