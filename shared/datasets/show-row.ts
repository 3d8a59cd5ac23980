import type { DatasetRow } from '../contracts/dataset-row.ts'
import type { ShownPart } from '../contracts/shown-row.ts'
import { contextOnly, learnedOf, showPart, stepsPart, theModels } from './formats/shown-parts.ts'

/** A canonical row as a trainer would take it that does all it says. */
export function showRow(row: DatasetRow): ShownPart[] {
  if (row.type === 'conversation') {
    return [showPart('messages', row.messages, learnedOf(row.messages))]
  }
  const prompt = showPart('prompt', row.prompt, contextOnly)
  switch (row.type) {
    case 'preference':
      return [
        prompt,
        showPart('chosen', row.chosen, theModels),
        showPart('rejected', row.rejected, theModels),
      ]
    case 'unpaired':
      return [prompt, { ...showPart('completion', row.completion, theModels), label: row.label }]
    case 'process':
      return [prompt, stepsPart(row)]
    case 'prompt':
      return [prompt]
  }
}
