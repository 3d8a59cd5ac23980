import { readFile } from 'node:fs/promises'
import type { JsonObject } from '../shared/core/contracts/json.ts'
import { wrongUsage } from './command-error.ts'

export async function readLoopFile(path: string): Promise<JsonObject> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  } catch (error) {
    throw wrongUsage(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  throw wrongUsage(`${path} must hold a JSON object: the settings of a loop.`)
}
