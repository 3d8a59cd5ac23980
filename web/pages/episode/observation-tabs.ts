import type { NodeDetail } from '../../../shared/core/contracts/node-detail.ts'

type Part = NodeDetail['observation'][number]
type Picture = Extract<Part, { type: 'blob' }>

export interface ObservationTab {
  id: string
  name: string
  text: string
}

const element = /^\t*\[\d+\] </m
const accessible = /^\t*\[\d+\] \w+ ['"]|^tag\tname\ttext\t/m

export function splitObservation(parts: readonly Part[]): { pictures: Picture[]; texts: ObservationTab[] } {
  const texts: ObservationTab[] = []
  for (const part of parts) {
    if (part.type !== 'text') continue
    const kind = nameOf(part.text)
    const before = texts.filter(({ id }) => id.startsWith(kind)).length
    const name = before === 0 ? kind : `${kind} ${before + 1}`
    texts.push({ id: name, name, text: part.text })
  }
  return { pictures: parts.filter((part) => part.type === 'blob'), texts }
}

function nameOf(text: string): string {
  if (element.test(text) || /^\s*<(?:!doctype|html|body)\b/i.test(text)) return 'DOM'
  return accessible.test(text) ? 'Accessibility tree' : 'Text'
}
