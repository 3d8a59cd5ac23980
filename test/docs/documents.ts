import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** A block of code in a document. */
export interface Fence {
  /** From the folder of the repository. */
  file: string
  /** Of its first line. */
  line: number
  language: string
  text: string
}

export interface Document {
  file: string
  text: string
  fences: Fence[]
}

/** The guide, and what stands at the root of the repository. */
export const documents: readonly Document[] = [
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => `docs/${name}`),
  'README.md',
  'CONTRIBUTING.md',
].map(readDocument)

function readDocument(file: string): Document {
  const text = readFileSync(join(root, file), 'utf8')
  const fences: Fence[] = []
  let open: Fence | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const mark = /^```(\w*)$/.exec(line)
    if (open === null && mark) open = { file, line: index + 2, language: mark[1] ?? '', text: '' }
    else if (open !== null && mark) {
      fences.push(open)
      open = null
    } else if (open !== null) open.text += `${line}\n`
  }
  return { file, text, fences }
}

/** The blocks of one language, in all documents. */
export function fencesOf(language: string): Fence[] {
  return documents.flatMap(({ fences }) => fences.filter((fence) => fence.language === language))
}

/** The text of a page of the guide. */
export function pageText(name: string): string {
  const page = documents.find(({ file }) => file === `docs/${name}.md`)
  if (page === undefined) throw new Error(`docs/ has no page ${name}.`)
  return page.text
}

// Commands in tables: inline code below the heading "command here", each a block of the shell of one line.
export function tableCommands({ file, text }: Document): Fence[] {
  const commands: Fence[] = []
  let column = -1
  for (const [index, line] of text.split('\n').entries()) {
    const cells = line.startsWith('|') ? tableCells(line) : []
    if (cells.length === 0) column = -1
    else if (cells.includes('command here')) column = cells.indexOf('command here')
    const command = /^`(.+)`$/.exec(cells[column] ?? '')?.[1]
    if (command !== undefined) commands.push({ file, line: index + 1, language: 'sh', text: `${command}\n` })
  }
  return commands
}

export function tableCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
