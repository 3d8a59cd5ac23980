import { readFile } from 'node:fs/promises'
import { wrongUsage } from './command-error.ts'

export async function readText(path: string, option = ''): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw wrongUsage(
      `${option}${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
