import type { SpanKind } from '../../shared/core/contracts/waterfall.ts'
import type { WaterfallPalette } from './paint-waterfall.ts'

export const kindColours: Record<SpanKind, string> = {
  queue: 'var(--line-strong)',
  setup: 'var(--series-6)',
  model: 'var(--series-3)',
  environment: 'var(--series-1)',
  wait: 'var(--series-2)',
  program: 'var(--series-4)',
  commit: 'var(--series-5)',
}

export function readWaterfallPalette(parent: HTMLElement): WaterfallPalette {
  const probe = parent.appendChild(document.createElement('span'))
  probe.hidden = true
  const read = (colour: string) => {
    probe.style.color = colour
    return getComputedStyle(probe).color
  }
  const kinds = Object.entries(kindColours).map(([kind, colour]) => [kind, read(colour)])
  const palette = {
    kinds: Object.fromEntries(kinds) as WaterfallPalette['kinds'],
    surface: read('var(--surface)'),
    line: read('var(--line-strong)'),
    text: read('var(--text)'),
    textSoft: read('var(--text-soft)'),
    font: getComputedStyle(parent).fontFamily,
  }
  probe.remove()
  return palette
}
