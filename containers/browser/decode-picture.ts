import type { BrowserContext } from 'playwright-core'
import { readPictureSize } from '../../shared/core/pictures/read-picture-size.ts'

export interface DecodedPicture {
  type: string
  png: Uint8Array
}

const beginnings: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['image/bmp', /^BM/],
  ['image/avif', /^[\s\S]{4}ftypavi[fs]/],
]

const decode = `async (data, type) => {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes], { type }), { colorSpaceConversion: 'none' })
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  canvas.getContext('2d').drawImage(picture, 0, 0)
  const url = await new Promise(async (done) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result)
    reader.readAsDataURL(await canvas.convertToBlob({ type: 'image/png' }))
  })
  return url.slice(url.indexOf(',') + 1)
}`

/**
 * Decodes a picture as the browser shows it, in a separate page. A PNG stays unchanged.
 * @throws Error if the bytes are no picture that Chromium can decode, or have too many pixels
 */
export async function decodePicture(context: BrowserContext, bytes: Uint8Array): Promise<DecodedPicture> {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const type = beginnings.find(([, pattern]) => pattern.test(start))?.[0]
  if (type === undefined) throw new Error('The bytes are no picture of a known kind.')
  readPictureSize(bytes)
  if (type === 'image/png') return { type, png: bytes }
  const page = await context.newPage()
  try {
    const data = JSON.stringify(Buffer.from(bytes).toString('base64'))
    const decoded = await page.evaluate(`(${decode})(${data}, ${JSON.stringify(type)})`)
    return { type, png: Buffer.from(String(decoded), 'base64') }
  } finally {
    await page.close()
  }
}
