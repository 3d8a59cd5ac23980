import { formatNumber } from '../shared/core/client/format-quantity.ts'
import type { Library, LibraryAction } from '../shared/core/contracts/library.ts'
import type { Memory, MemoryNote } from '../shared/core/contracts/memory.ts'
import { toLine, withoutControls, wrap } from './fit-text.ts'
import { formatTable } from './format-table.ts'

const indent = 14

export function formatLearned(items: (Memory | Library)[], width: number): string[] {
  const [first] = items
  if (first === undefined) return ['None yet. Runs that learn leave them: espalier methods']
  return formatTable(
    [{ header: first.object }, { header: 'environment' }, { header: 'method' }, { header: 'run' }],
    items.map(({ id, environment, method, complete, run }) => [
      id,
      environment,
      method,
      complete ? 'ended' : `goes on: ${run}`,
    ]),
    width,
  )
}

export function formatOrigin({ id, environment, method, run, complete }: Memory | Library): string {
  return `${id}: ${method} on ${environment}, ${run}${complete ? '' : ', which goes on'}`
}

export function formatNotes(notes: MemoryNote[], width: number): string[] {
  if (notes.length === 0) return ['No notes.']
  return notes.flatMap((note) => {
    const surprise = note.surprise === null ? '' : `, surprise ${formatNumber(note.surprise)}`
    const group = note.group === null ? '' : `, for ${note.group}`
    return [
      '',
      ...wrap(toLine(`${note.episode}  ${note.task}  ${note.side}${group}${surprise}`), width),
      ...block('objective', note.objective, width),
      ...block('observation', note.observation, width),
      ...block('action', note.action ?? '', width),
      ...block('note', note.note, width),
    ]
  })
}

export function formatActions(actions: LibraryAction[], width: number): string[] {
  if (actions.length === 0) return ['No actions.']
  return actions.flatMap((action, place) => [
    '',
    ...wrap(
      toLine(
        `${action.name}(${action.parameters.join(', ')})${action.group === null ? '' : `  for ${action.group}`}`,
      ),
      width,
    ),
    ...block('description', action.description, width),
    ...action.notes.flatMap((note) => block('heed', note, width)),
    ...block('scores', scoresOf(action), width),
    ...action.lineage.flatMap((step) =>
      block(
        step.change,
        `round ${step.round}, candidate ${step.candidate}${step.reason === null ? '' : `: ${step.reason}`}`,
        width,
      ),
    ),
    ...listing('code', action.code),
    // Show a set's usage once, below its last action.
    ...(action.usage === actions[place + 1]?.usage ? [] : listing('usage', action.usage)),
  ])
}

function scoresOf({ scores }: LibraryAction): string {
  if (scores === null) return 'none'
  const { score, success, step_accuracy, call_ratio } = scores
  return `${formatNumber(score)} (success ${formatNumber(success)}, step accuracy ${formatNumber(step_accuracy)}, call ratio ${formatNumber(call_ratio)})`
}

function block(name: string, text: string, width: number): string[] {
  if (text.trim() === '') return []
  const lines = wrap(toLine(text), width - indent)
  return lines.map((line, at) => (at === 0 ? `  ${name}` : '').padEnd(indent) + line)
}

function listing(name: string, text: string): string[] {
  if (text.trim() === '') return []
  return [`  ${name}`, ...text.split('\n').map((line) => `    ${withoutControls(line)}`)]
}
