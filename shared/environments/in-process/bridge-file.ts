import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { programFactsSchema } from '../program/program-facts.ts'

/**
 * A process on this machine that plays code of its own. The process writes the file into the data folder, so only one
 * that may write there is played.
 */
export const callerSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  caller: z.string().max(1000).describe('The program, for people.'),
  port: z.int().min(1).max(65_535).describe('Where it listens on 127.0.0.1.'),
  token: z.string().min(32).max(200),
})

export type Caller = z.infer<typeof callerSchema>

export const bridgeFileSchema = callerSchema.extend({
  facts: programFactsSchema.extend({ actions: z.boolean().default(true) }),
})

export type BridgeFile = z.infer<typeof bridgeFileSchema>

const bridgeFolder = 'in-process'

/** @returns null if there is none, or it is being written */
export async function readBridgeFile(folder: string, id: string): Promise<BridgeFile | null> {
  try {
    const text = await readFile(join(folder, bridgeFolder, `${id}.json`), 'utf8')
    return bridgeFileSchema.safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null
    throw error
  }
}

export async function listBridgeFiles(folder: string): Promise<BridgeFile[]> {
  const names = await readdir(join(folder, bridgeFolder)).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const ids = names.flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
  const files = await Promise.all(ids.toSorted().map((id) => readBridgeFile(folder, id)))
  return files.filter((file) => file !== null)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
