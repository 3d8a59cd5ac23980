interface LabelledPoint {
  x: number
  y: number
  text: string
}

interface PlacedLabel {
  x: number
  y: number
  anchor: 'start' | 'middle' | 'end'
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** In pixels, at the size of small text. It is generous, because fonts differ. */
const letterWidth = 7.3
const lineHeight = 16
const gap = 8
const near = 14
const far = 18

export function placeLabels(points: readonly LabelledPoint[], bounds: Box): (PlacedLabel | null)[] {
  const taken: Box[] = points.map(({ x, y }) => around(x, y, 7))
  return points.map(({ x, y, text }) => {
    const width = text.length * letterWidth
    for (const { label, box } of placesAround(x, y, width)) {
      if (!isInside(box, bounds) || taken.some((other) => overlap(box, other))) continue
      taken.push(box)
      return label
    }
    return null
  })
}

function placesAround(x: number, y: number, width: number): { label: PlacedLabel; box: Box }[] {
  const places: { down: number; aside: number; anchor: PlacedLabel['anchor'] }[] = [
    ...[-near, near].map((down) => ({ down, aside: gap, anchor: 'start' as const })),
    ...[-near, near].map((down) => ({ down, aside: -gap, anchor: 'end' as const })),
    { down: 0, aside: far, anchor: 'start' },
    { down: 0, aside: -far, anchor: 'end' },
    ...[-far, far].map((down) => ({ down, aside: 0, anchor: 'middle' as const })),
    ...[-2 * far, 2 * far].map((down) => ({ down, aside: 0, anchor: 'middle' as const })),
  ]
  return places.map(({ down, aside, anchor }) => {
    const label = { x: x + aside, y: y + down, anchor }
    const left = { start: label.x, middle: label.x - width / 2, end: label.x - width }[anchor]
    const box = { left, right: left + width, top: label.y - lineHeight / 2, bottom: label.y + lineHeight / 2 }
    return { label, box }
  })
}

function around(x: number, y: number, room: number): Box {
  return { left: x - room, right: x + room, top: y - room, bottom: y + room }
}

function isInside(box: Box, bounds: Box): boolean {
  return (
    box.left >= bounds.left &&
    box.right <= bounds.right &&
    box.top >= bounds.top &&
    box.bottom <= bounds.bottom
  )
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
