let canvas: CanvasRenderingContext2D | null = null
const known = new Map<string, string>()

export function plainColour(colour: string): string {
  if (colour === 'none') return colour
  const before = known.get(colour)
  if (before !== undefined) return before
  canvas ??= Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })
  if (canvas === null) return colour
  canvas.clearRect(0, 0, 1, 1)
  canvas.fillStyle = colour
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, opacity = 0] = canvas.getImageData(0, 0, 1, 1).data
  const digits = [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')
  const plain = opacity === 0 ? 'none' : `#${digits}`
  known.set(colour, plain)
  return plain
}

export function colourAt(element: HTMLElement, colour: string): string {
  const probe = element.appendChild(document.createElement('span'))
  probe.hidden = true
  probe.style.color = colour
  const computed = getComputedStyle(probe).color
  probe.remove()
  return plainColour(computed)
}
