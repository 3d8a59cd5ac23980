import type { Comparison } from '../../../shared/core/contracts/report.ts'
import { showControls } from '../../format/show-controls.ts'

export interface NamedRun {
  run: string
  name: string
}

export function runNames(runs: readonly { id: string; name: string | null }[]): Map<string, string> {
  const shown = runs.map(({ id, name }) => ({ id, name: name === null ? null : showControls(name) }))
  const uses = Map.groupBy(shown, ({ name }) => name)
  return new Map(
    shown.map(({ id, name }) => {
      if (name === null) return [id, id]
      return [id, (uses.get(name)?.length ?? 0) > 1 ? `${name} (${id.slice(-8)})` : name]
    }),
  )
}

export function namesOf({ runs }: Pick<Comparison, 'runs'>): Map<string, string> {
  return runNames(runs.map(({ run, name }) => ({ id: run, name })))
}
