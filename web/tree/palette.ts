import { plainColour } from '../drawings/plain-colour.ts'
import { shareColour } from './value-colour.ts'

export const shades = 24

// The colours of names, such as models. They follow the shades in a palette.
export const seriesColours = 6

export interface Palette {
  values: string[]
  surface: string
  line: string
  lineStrong: string
  text: string
  textSoft: string
  accent: string
  hit: string
  hitRim: string
  happening: string
  font: string
}

/** A canvas does not resolve custom properties, so a hidden element of the page resolves them. */
export function readPalette(parent: HTMLElement): Palette {
  const probe = parent.appendChild(document.createElement('span'))
  probe.hidden = true
  const read = (colour: string) => {
    probe.style.color = colour
    return getComputedStyle(probe).color
  }
  const palette: Palette = {
    values: [
      ...Array.from({ length: shades }, (_, shade) => read(shareColour(shade / (shades - 1)))),
      ...Array.from({ length: seriesColours }, (_, at) => read(`var(--series-${at + 1})`)),
    ],
    surface: read('var(--surface)'),
    line: read('var(--line-strong)'),
    lineStrong: read('var(--text-soft)'),
    text: read('var(--text)'),
    textSoft: read('var(--text-soft)'),
    accent: read('var(--accent)'),
    hit: read('var(--warn-soft)'),
    hitRim: read('var(--warn)'),
    happening: read('var(--info)'),
    font: getComputedStyle(parent).fontFamily,
  }
  probe.remove()
  return palette
}

export function plainPalette({ font, values, ...colours }: Palette): Palette {
  const plain = Object.entries(colours).map(([name, colour]) => [name, plainColour(colour)])
  return { ...(Object.fromEntries(plain) as typeof colours), values: values.map(plainColour), font }
}
