import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

export async function findProgram(command: string): Promise<string | null> {
  const places = command.includes('/')
    ? [command]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, command))
  for (const path of places) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}
