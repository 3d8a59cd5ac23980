import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { inject } from 'vitest'
import { z } from 'zod'
import type { DatasetFormatId } from '../../shared/core/contracts/dataset.ts'
import { type ConversationRow, conversationRowSchema } from '../../shared/core/contracts/dataset-row.ts'
import { messageSchema } from '../../shared/core/contracts/message.ts'
import type { DatasetSet } from './build-folders.ts'

/** Where a dataset lies. */
export function folderOf(set: DatasetSet, format: DatasetFormatId): string {
  return join(inject('folder'), set, format)
}

/** The data files of a dataset, in order. */
export async function dataFiles(set: DatasetSet, format: DatasetFormatId): Promise<string[]> {
  const folder = folderOf(set, format)
  const names = await readdir(folder)
  return names
    .filter((name) => name.startsWith('data-'))
    .toSorted()
    .map((name) => join(folder, name))
}

/** The rows of a set as they are, from its Parquet files: those of every format are the same ones in the same order. */
export async function canonicalRows(set: DatasetSet): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (const path of await dataFiles(set, 'parquet')) {
    const file = new Uint8Array(await readFile(path)).buffer
    rows.push(...((await parquetReadObjects({ file })) as Record<string, unknown>[]))
  }
  return rows
}

/** Of the sets that are conversations. */
export async function conversations(set: DatasetSet): Promise<ConversationRow[]> {
  const rows = await canonicalRows(set)
  return rows.map((row) => {
    const messages = (row.messages as Record<string, unknown>[]).map(withoutNulls)
    const { tools, ...rest } = withoutNulls(row)
    return conversationRowSchema.parse({
      ...rest,
      messages,
      ...(tools !== undefined && { tools: JSON.parse(String(tools)) }),
    })
  })
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** A row as a trainer tokenized it, and each stretch that it learns of it, in text. */
export interface LearnedText {
  text: string
  learned: string[]
}

/** Messages in ChatML, by which the tests' tokenizer, LLaMA-Factory’s and XTuner’s templates go. */
export function chatml(messages: unknown): string {
  return z
    .array(messageSchema)
    .parse(messages)
    .map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`)
    .join('')
}

/** What a trainer must learn of a row, by its weights: the answers, each with its end. */
export function learnedBy({ messages }: ConversationRow): string[] {
  return messages.filter(({ weight }) => weight === 1).map(({ content }) => `${content}<|im_end|>`)
}

/** The same for a trainer without weights, which learns an acknowledgement before the task along. */
export function learnedWithoutWeights({ messages }: ConversationRow): string[] {
  return messages.flatMap(({ role, content }) => (role === 'assistant' ? [`${content}<|im_end|>`] : []))
}
