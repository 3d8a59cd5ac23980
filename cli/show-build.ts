import { formatCount, formatMoney } from '../shared/core/client/format-quantity.ts'
import type { Dataset } from '../shared/core/contracts/dataset.ts'
import type { BuildState } from './build-dataset.ts'
import { truncate } from './fit-text.ts'
import { countEnded } from './progress-line.ts'
import type { Terminal } from './terminal.ts'

export interface BuildProgress {
  update(state: BuildState): void
  stop(): void
}

const lineInterval = 5000

export function showBuild(terminal: Terminal): BuildProgress {
  const stream = terminal.progress
  if (stream === null) {
    let last = performance.now()
    return {
      update(state) {
        if (performance.now() - last < lineInterval) return
        last = performance.now()
        terminal.note(buildText(state))
      },
      stop: () => {},
    }
  }
  const clear = '\r\u001b[K'
  return {
    update: (state) => void stream.write(clear + truncate(buildText(state), (stream.columns ?? 80) - 1)),
    stop: () => void stream.write(clear),
  }
}

export function buildText({ dataset, asking }: BuildState): string {
  const { progress, rows } = dataset
  const parts = [
    dataset.status === 'queued' ? 'queued' : phaseOf(dataset),
    progress.parts > 0 && asking === null ? `${progress.parts_done}/${progress.parts} parts` : null,
    rows > 0 ? `${formatCount(rows)} rows` : null,
    ...(asking === null
      ? []
      : [
          `${countEnded(asking.episodes)}/${asking.episodes.total} episodes`,
          `${formatCount(asking.usage.model_calls)} calls`,
          formatMoney(asking.usage.cost),
        ]),
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

function phaseOf({ progress: { phase } }: Dataset): string {
  return phase === 'asking' ? 'asking a model' : phase
}
