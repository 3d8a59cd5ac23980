import type { TrajectoryFormat } from '../contracts/trajectory-import.ts'

/** How formats are recognised: the first whose fields a row has. */
const marks: readonly (readonly [
  format: TrajectoryFormat,
  has: (row: Record<string, unknown>) => boolean,
])[] = [
  ['atif', (row) => typeof row.schema_version === 'string' && row.schema_version.startsWith('ATIF')],
  ['agent-r', (row) => 'revise_log' in row || ('children' in row && 'visits' in row)],
  ['agenttraj', (row) => 'item_id' in row && 'conversations' in row],
  ['eto', (row) => 'conversations' in row && ('id' in row || 'meta' in row || 'game_file' in row)],
  ['llama-factory', (row) => 'conversations' in row && !('chosen' in row)],
  ['xtuner', (row) => 'conversation' in row],
  ['parquet', (row) => 'messages' in row && typeof row.type === 'string'],
  ['openai', (row) => 'messages' in row],
  ['trl', (row) => Array.isArray(row.prompt) && Array.isArray(row.completion) && !('label' in row)],
]

/** The format whose fields a row has; null where it has none's. */
export function looksLike(row: Record<string, unknown>): TrajectoryFormat | null {
  return marks.find(([, has]) => has(row))?.[0] ?? null
}

/** What a row is that is no trajectory, though a dataset may hold it. */
export function otherKind(row: Record<string, unknown>): string | null {
  if ('chosen' in row || 'rejected' in row || 'preferred_output' in row) return 'a pair'
  if ('kto_tag' in row || 'label' in row) return 'an unpaired example'
  if ('completions' in row && 'labels' in row) return 'a row for process rewards'
  return null
}
