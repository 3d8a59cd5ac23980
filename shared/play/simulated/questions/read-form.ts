import type { Message } from '../../../core/contracts/message.ts'

export type Form =
  | { readonly kind: 'action'; readonly withThought: boolean }
  | { readonly kind: 'program' | 'functions' }
  | { readonly kind: 'labels'; readonly labels: readonly string[]; readonly subject: string | null }

const labelled = /Answer in (?:this form|one of these forms):\n([\s\S]*)$/
const block = /(the whole program|all of it) (?:in one block|again, in one)/
const actions = /in this form:\n((?:.+\n?)*)/

export function readForm(messages: readonly Message[]): Form | null {
  for (const { role, content } of messages.toReversed()) {
    const form = role === 'assistant' ? null : formOf(content.replace(/<<<\n[\s\S]*?\n>>>/g, ''))
    if (form !== null) return form
  }
  return null
}

function formOf(content: string): Form | null {
  const lines = labelled.exec(content)?.[1]
  if (lines !== undefined) {
    const labels = [...lines.matchAll(/^([A-Z][A-Za-z ]*):/gm)].map(([, label = '']) => label)
    const subject = /^Decision: update (\S+)/m.exec(lines)?.[1] ?? null
    return { kind: 'labels', labels: [...new Set(labels)], subject }
  }
  const code = block.exec(content)?.[1]
  if (code !== undefined) return { kind: code === 'all of it' ? 'functions' : 'program' }
  const answer = actions.exec(content)?.[1] ?? ''
  return answer.includes('Action:') ? { kind: 'action', withThought: answer.includes('Thought:') } : null
}
