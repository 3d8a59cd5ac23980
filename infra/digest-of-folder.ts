import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function digestOfFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  const digest = createHash('sha256')
  for (const path of paths.sort()) digest.update(path.slice(folder.length)).update(readFileSync(path))
  return digest.digest('hex').slice(0, 16)
}
