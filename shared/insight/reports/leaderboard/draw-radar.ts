import { abilitySchema } from '../../../core/contracts/ability.ts'
import type { Leaderboard } from '../../../core/contracts/leaderboard.ts'

const middle = { x: 300, y: 240 }
const radius = 160
const colours = ['#1f6f4a', '#b4540a', '#2a5db0', '#8a2b6b', '#6b6b00', '#444444']

/**
 * AgentBoard's radar of abilities as an SVG image; null if no entry has abilities. The text below it names the
 * environments, and those of AgentBoard that are missing.
 */
export function drawRadar({ abilities, entries, simulated }: Leaderboard): string | null {
  const shown = (abilities?.scores ?? []).flatMap(({ abilities: scores, entry }) =>
    scores === null ? [] : [{ scores, label: labelOf(entries, entry) }],
  )
  if (abilities === undefined || shown.length === 0) return null
  const axes = abilitySchema.options
  const place = (at: number, score: number) => {
    const angle = (2 * Math.PI * at) / axes.length - Math.PI / 2
    const length = (radius * score) / 100
    return { x: middle.x + length * Math.cos(angle), y: middle.y + length * Math.sin(angle) }
  }
  const ring = (scores: readonly number[]) =>
    scores
      .map((score, at) => place(at, score))
      .map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)
      .join(' ')
  const grid = [25, 50, 75, 100].map(
    (level) => `<polygon points="${ring(axes.map(() => level))}" fill="none" stroke="#cccccc"/>`,
  )
  const names = axes.map((ability, at) => {
    const { x, y } = place(at, 118)
    return text(x, y, ability.replaceAll('_', ' '), 'middle')
  })
  const polygons = shown.map(({ scores }, at) => {
    const colour = colours[at % colours.length]
    const points = ring(axes.map((ability) => scores[ability]))
    return `<polygon points="${points}" fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="2"/>`
  })
  const notes = [
    ...shown.map(({ label }, at) => ({ label, colour: colours[at % colours.length] })),
    { label: `Environments: ${abilities.environments.join(', ')}.`, colour: '#333333' },
    ...(abilities.missing === 0
      ? []
      : [
          { label: `Of AgentBoard’s nine environments ${abilities.missing} are missing.`, colour: '#333333' },
        ]),
    ...(simulated
      ? [{ label: 'Simulated model: these numbers prove plumbing, not quality.', colour: '#333333' }]
      : []),
  ]
  const lines = notes.map(({ colour, label }, at) => text(20, 460 + 20 * at, label, 'start', colour))
  const height = 470 + 20 * notes.length
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 ${height}" font-family="sans-serif" font-size="13">`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...grid,
    ...polygons,
    ...names,
    ...lines,
    '</svg>\n',
  ].join('\n')
}

function labelOf(entries: Leaderboard['entries'], id: string): string {
  const entry = entries.find((each) => each.id === id)
  return entry === undefined ? id : `${entry.label}, ${entry.model}`
}

function text(x: number, y: number, content: string, anchor: string, colour = '#333333'): string {
  const escaped = content.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${escaped}</text>`
}
