import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

const folder = new URL('../pictures/', import.meta.url)

/**
 * The file of a picture, from its drawing, colour and number of copies (`mug blue 3`). The file's name does not
 * reveal them, because pages show addresses.
 */
export function pictureFile(picture: string): string {
  return `${createHash('sha256').update(picture).digest('hex').slice(0, 12)}.png`
}

export function readPicture(file: string): Uint8Array<ArrayBuffer> | undefined {
  const address = new URL(file, folder)
  return /^[\da-f]{12}\.png$/.test(file) && existsSync(address)
    ? new Uint8Array(readFileSync(address))
    : undefined
}

export const pictureField = z
  .string()
  .trim()
  .default('')
  .transform((text, context) => {
    if (text === '') return null
    const file = /(?:^|\/)pictures\/([\da-f]{12}\.png)$/.exec(text)?.[1]
    if (file !== undefined && readPicture(file) !== undefined) return file
    context.addIssue({
      code: 'custom',
      message: 'That is no picture of these sites. Copy the address of one, such as /pictures/….png.',
    })
    return z.NEVER
  })
