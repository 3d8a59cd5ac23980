import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** Finds an executable by its path or in PATH. Null if there is none. */
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
