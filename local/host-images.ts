import { extname, join } from 'node:path'
import { images } from '../shared/environments/images.ts'

const root = join(import.meta.dirname, '..')
const extension = extname(import.meta.filename)

export const hostImages: Readonly<Record<string, string>> = Object.fromEntries(
  images.map(({ id, folder }) => [id, join(root, folder, `${id}${extension}`)]),
)
