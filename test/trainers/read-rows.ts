import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { JsonObject } from '../../shared/core/contracts/json.ts'

/** The rows of a data file in JSON, packed or not. */
export async function readRows(path: string): Promise<JsonObject[]> {
  const body = await readFile(path)
  const text = (path.endsWith('.gz') ? gunzipSync(body) : body).toString('utf8')
  if (path.replace(/\.gz$/, '').endsWith('.json')) return JSON.parse(text) as JsonObject[]
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as JsonObject)
}
