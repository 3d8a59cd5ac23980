import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import { shortText } from '../format/short-text.ts'
import { shownValue } from './colouring.ts'
import { actionOf, nodeAt, pathTo } from './index-tree.ts'
import type { MapScene } from './map-scene.ts'
import { onScreen } from './on-screen.ts'
import type { Painting } from './painting.ts'

const size = 11
const mostCharacters = 32
const padding = 3

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

// Names the actions of the path to the answer in an overview, whose other nodes have no room for words. The answer
// comes first, then the path from the root; a label that would cover another is left out.
export function paintPathLabels(painting: Painting, scene: MapScene): void {
  const { context, camera, palette } = painting
  const path = pathTo(scene.index, scene.moment.best).slice(1)
  const placed: Box[] = []
  context.textBaseline = 'alphabetic'
  context.direction = 'ltr'
  for (const node of [...path.slice(-1), ...path.slice(0, -1)]) {
    const isAnswer = node === scene.moment.best
    const { x, y, radius } = onScreen(scene, node, camera)
    context.font = `${isAnswer ? 600 : 400} ${size}px ${palette.font}`
    const action = shortText(actionOf(nodeAt(scene.index, node)), mostCharacters)
    const text = isAnswer
      ? `${action} · ${formatNumber(scene.flow === undefined ? nodeAt(scene.index, node).reward : shownValue(scene, node))}`
      : action
    const { width } = context.measureText(text)
    const frame = frameAround(painting, x, y)
    const left = Math.max(frame.left + padding, Math.min(x - width / 2, frame.right - width - padding))
    const box = [y - radius - 8, y + radius + size + 8]
      .map((base) => boxOf(left, base, width))
      .find((each) => isInside(each, frame) && placed.every((other) => !cover(each, other)))
    if (box === undefined) continue
    placed.push(box)
    context.beginPath()
    context.rect(box.left, box.top, box.right - box.left, box.bottom - box.top)
    context.fillStyle = palette.surface
    context.globalAlpha = 0.85
    context.fill()
    context.globalAlpha = 1
    context.fillStyle = palette.text
    context.fillText(text, box.left + padding, box.bottom - padding - 1)
  }
}

function boxOf(left: number, base: number, width: number): Box {
  return {
    left: left - padding,
    top: base - size - padding,
    right: left + width + padding,
    bottom: base + padding,
  }
}

function frameAround({ size, beyond = { width: 0, height: 0 } }: Painting, x: number, y: number): Box {
  const frame = {
    left: beyond.width,
    top: beyond.height,
    right: size.width - beyond.width,
    bottom: size.height - beyond.height,
  }
  const isSeen = x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom
  return isSeen ? frame : { left: 0, top: 0, right: size.width, bottom: size.height }
}

function isInside({ top, bottom }: Box, frame: Box): boolean {
  return top >= frame.top && bottom <= frame.bottom
}

function cover(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
