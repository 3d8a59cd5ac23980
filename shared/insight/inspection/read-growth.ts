import type { Growth, GrowthEvent, GrowthStep } from '../../core/contracts/growth.ts'
import { addUsage, noUsage } from '../../core/contracts/usage.ts'
import type { JournalRecord } from '../../core/engine/journal-record.ts'
import type { TreeEntry } from '../../play/search/tree-entry.ts'

export function readGrowth(records: readonly JournalRecord[]): Pick<Growth, 'answer' | 'steps'> | null {
  let answer: Growth['answer'] | null = null
  let steps: GrowthStep[] = []
  let step: GrowthStep = { at: '', elapsed: 0, usage: noUsage, events: [] }
  let nodes = 1
  const end = (): void => {
    if (step.events.length > 0) steps.push(step)
  }
  for (const record of records) {
    if ('segment' in record) {
      end()
      step = { at: record.at, elapsed: record.elapsed, usage: step.usage, events: [] }
    } else if ('effect' in record) {
      if (record.usage) step.usage = addUsage(step.usage, record.usage)
    } else if ('entry' in record) {
      const entry = record.entry as TreeEntry
      if ('open' in entry) {
        answer = entry.open.answer
        steps = []
        step.events = []
        nodes = 1
        continue
      }
      const event = toEvent(entry, nodes)
      if (event === null) continue
      if (event.type === 'node') nodes += 1
      step.events.push(event)
    }
  }
  end()
  return answer === null ? null : { answer, steps }
}

function toEvent(entry: TreeEntry, next: number): GrowthEvent | null {
  if ('node' in entry) return { type: 'node', node: next }
  if ('backup' in entry) return { type: 'value', node: entry.backup.node, value: entry.backup.value }
  if ('commit' in entry) return { type: 'commit', node: entry.commit.node }
  return null
}
