export interface Drawing {
  svg: string
  width: number
  height: number
}

const density = 2

/** Renders a drawing as a PNG, at twice its size. Throws an Error if the browser cannot. */
export async function toPng({ svg, width, height }: Drawing): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = width * density
    canvas.height = height * density
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (png === null) throw new Error('The browser could not make a picture of this size. Save it as SVG.')
    return png
  } finally {
    URL.revokeObjectURL(address)
  }
}

export function fileNameOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.join('-').slice(0, 80) || 'drawing'
}
