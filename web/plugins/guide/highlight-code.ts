import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import type { GuideNode } from '../../pages/guide/guide-types.ts'

const languages: Record<string, Parameters<typeof hljs.registerLanguage>[1]> = {
  sh: bash,
  json,
  python,
  ts: typescript,
}
/** In commands, words that a shell knows (`--split`, `export`) get no highlighting. */
const shownInCommands = new Set(['hljs-comment', 'hljs-string', 'hljs-variable'])

for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

export function highlightCode(code: string, language: string): GuideNode[] {
  if (!(language in languages)) return [code]
  const shows = (name: string): boolean => language !== 'sh' || shownInCommands.has(name)
  return readSpans(hljs.highlight(code, { language }).value, shows)
}

function readSpans(markup: string, shows: (name: string) => boolean): GuideNode[] {
  const open: GuideNode[][] = [[]]
  const classes: string[] = []
  for (const [piece, name] of markup.matchAll(/<span class="([^"]+)">|<\/span>|[^<]+/g)) {
    if (piece === '</span>') {
      const children = open.pop() ?? []
      const name = classes.pop() ?? ''
      if (shows(name)) open.at(-1)?.push({ tag: 'span', attributes: { class: name }, children })
      else open.at(-1)?.push(...children)
    } else if (name !== undefined) {
      open.push([])
      classes.push(name)
    } else {
      open
        .at(-1)
        ?.push(piece.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity))
    }
  }
  return open[0] ?? []
}
