import type { PlayedRun } from './play-on-stage.ts'

const mostNamed = 5

export function compareRuns(name: string, stage: PlayedRun, here: PlayedRun): string[] {
  const findings: string[] = []
  const { run } = stage
  if (run.status !== 'succeeded')
    findings.push(`${name}: the run ended as ${run.status} (${run.status_reason ?? 'no reason'})`)
  const errored = stage.episodes.filter(({ result }) => result?.status === 'errored')
  const causes = errored.map(({ id, result }) => `${id} ${result?.error?.message ?? ''}`)
  if (errored.length > 0) findings.push(`${name}: ${errored.length} episodes errored: ${named(causes)}`)
  if (stage.episodes.length !== here.episodes.length)
    findings.push(`${name}: ${stage.episodes.length} episodes, ${here.episodes.length} here`)
  const differing = here.episodes.flatMap(({ id, task }) => {
    const isErrored = errored.some((episode) => episode.id === id)
    return isErrored || stage.trees.get(id) === here.trees.get(id) ? [] : [`${id} (${task})`]
  })
  if (differing.length > 0) findings.push(`${name}: ${differing.length} trees differ: ${named(differing)}`)
  return findings
}

function named(all: string[]): string {
  const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : ''
  return `${all.slice(0, mostNamed).join('; ')}${more}`
}
