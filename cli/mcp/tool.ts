import type { z } from 'zod'
import type { Scope } from '../../shared/core/contracts/key.ts'
import type { Desk } from './desk.ts'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly scope: Scope | null
  readonly changes: boolean
  readonly input: z.ZodObject
  answer(desk: Desk, input: unknown, signal: AbortSignal): Promise<string>
}

export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'answer' | 'input' | 'changes'> & {
    changes?: boolean
    input: Input
    answer(desk: Desk, input: z.output<Input>, signal: AbortSignal): Promise<string>
  },
): Tool {
  const { answer, changes = false, input } = tool
  return { ...tool, changes, answer: (desk, given, signal) => answer(desk, input.parse(given), signal) }
}
