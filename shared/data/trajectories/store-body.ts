import { hash } from 'node:crypto'
import {
  type ImportedFacts,
  type ImportSettings,
  keptRejections,
  rowId,
  type TrajectoryImport,
  type TrajectoryLine,
} from '../../core/contracts/trajectory-import.ts'
import { digest } from '../../core/engine/digest.ts'
import type { Objects } from '../../core/world/ports.ts'
import type { ImportPart } from './import-ledger.ts'
import { partFiles } from './part-files.ts'
import type { ReadBodyResult } from './read-body.ts'

/**
 * The digest of the data behind an environment's tasks, as runs name it.
 *
 * @param data - the requested digest or name
 */
export type DataOf = (environment: string, data: string | undefined) => Promise<string | null>

export function digestOf(body: Uint8Array): string {
  return digest(hash('sha256', body))
}

export async function storeBody(
  { objects, dataOf }: { objects: Objects; dataOf: DataOf },
  before: TrajectoryImport,
  { body, read, more }: { body: Uint8Array; read: ReadBodyResult; more: boolean },
): Promise<{ after: TrajectoryImport; part: ImportPart | null }> {
  const { lines, rejections, rejected, rows } = read
  const status = more ? 'receiving' : 'complete'
  if (rows === 0) return { after: { ...before, status }, part: null }
  const number = before.parts + 1
  const kept = rejections.slice(0, Math.max(0, keptRejections - before.rejected))
  const part: ImportPart = {
    number,
    first: before.next,
    rows,
    digest: digestOf(body),
    trajectories: lines.length,
    rejected,
    kept: kept.length,
  }
  const { settings } = before
  const data = new Map<string, string | null>()
  for (const environment of new Set(lines.map(({ tree }) => tree.environment))) {
    data.set(environment, await dataOf(environment, settings.data))
  }
  const facts = lines.map((line) => {
    return toFacts(line, { part: number, data: data.get(line.tree.environment) ?? null, settings })
  })
  await partFiles(objects, before.id).write(part, { lines, facts, rejections: kept })
  const after: TrajectoryImport = {
    ...before,
    status,
    trajectories: before.trajectories + lines.length,
    rejected: before.rejected + rejected,
    next: before.next + rows,
    parts: number,
  }
  return { after, part }
}

function toFacts(
  { row, file, line, model, reward, tree }: TrajectoryLine,
  { part, data, settings }: { part: number; data: string | null; settings: ImportSettings },
): ImportedFacts {
  const { environment, task, method } = tree
  const success = reward >= settings.success_at
  return {
    episode: rowId(row),
    part,
    environment,
    data,
    task,
    method,
    model: `imported/${model}`,
    status: success ? 'succeeded' : 'failed',
    reward,
    success,
    seed: 0,
    file,
    line,
  }
}
