import type { DatasetRow, RowMessage, RowTool } from '../../core/contracts/dataset-row.ts'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { Picture } from '../../core/contracts/picture.ts'
import { findInlineCalls, withoutCalls } from '../../play/answers/inline-call.ts'
import { coverReasoning } from '../../play/answers/reasoning.ts'

export interface StructuredTurn {
  role: RowMessage['role'] | 'tool'
  content: string
  pictures?: Picture[]
  reasoning?: string
  weight?: 0 | 1 | undefined
  call?: { id: string; name: string; arguments: JsonObject }
  answers?: string
}

/**
 * Takes the calls out of the texts of a row's turns. Rows of an agent that acts by text have none.
 *
 * @param tools - the tools of the row; undefined: every turn stays as it is
 * @param before - number of the row's turns before these, so that no two calls of a row share an id
 */
export function structuredTurns(
  turns: readonly (RowMessage & { weight?: 0 | 1 | undefined })[],
  tools: readonly RowTool[] | undefined,
  before = 0,
): StructuredTurn[] {
  let called: string | null = null
  return turns.map(({ role, content, pictures, reasoning, weight }, place): StructuredTurn => {
    const shared = {
      ...(pictures && { pictures }),
      ...(reasoning !== undefined && { reasoning }),
      ...(weight !== undefined && { weight }),
    }
    const answers = called
    called = null
    if (role === 'user' && answers !== null) return { role: 'tool', content, ...shared, answers }
    const split = tools !== undefined && role === 'assistant' ? splitCall(content) : null
    if (split === null) return { role, content, ...shared }
    called = `call${String(before + place).padStart(5, '0')}`
    const call = { id: called, name: split.name, arguments: split.arguments as JsonObject }
    return { role, content: split.words, ...shared, call }
  })
}

export function toolsOfRow(row: DatasetRow): readonly RowTool[] | undefined {
  return 'tools' in row ? row.tools : undefined
}

/** The fields of a turn's call, or of the answer to one, in OpenAI's chat messages. @param write - the arguments there */
export function callFields(
  { call, answers }: StructuredTurn,
  write: (given: JsonObject) => Json,
): JsonObject {
  if (answers !== undefined) return { tool_call_id: answers }
  if (call === undefined) return {}
  const { id, name, arguments: given } = call
  return { tool_calls: [{ id, type: 'function', function: { name, arguments: write(given) } }] }
}

export function toolsColumn(row: DatasetRow): { tools?: JsonObject[] } {
  const tools = toolsOfRow(row)
  if (tools === undefined) return {}
  return {
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
  }
}

/**
 * A turn as chat templates read it, such as those of TRL's models: arguments as an object, thoughts in
 * `reasoning_content`.
 */
export function templateTurn(turn: StructuredTurn): JsonObject {
  const { role, content, reasoning } = turn
  return {
    role,
    content,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...callFields(turn, (given) => given),
  }
}

interface SplitAnswer {
  words: string
  name: string
  arguments: Readonly<Record<string, unknown>>
}

export function splitCall(answer: string): SplitAnswer | null {
  const { calls, ranges } = findInlineCalls(coverReasoning(answer))
  // A message has the call that was made below the words, which may quote others.
  const call = calls.at(-1)
  if (call === undefined || call.name === null) return null
  return { words: withoutCalls(answer, ranges).trim(), name: call.name, arguments: call.arguments }
}
