import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const kinds = ['Added', 'Changed', 'Fixed', 'Removed'] as const
type Changes = Partial<Record<(typeof kinds)[number], string[]>>

/**
 * Reads the lines of a file of `.changes` by their heading.
 * @throws Error that names the file and line of anything else
 */
export function readChanges(text: string, file: string): Changes {
  const changes: Changes = {}
  let lines: string[] | null = null
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const kind = kinds.find((each) => line === `### ${each}`)
    if (kind !== undefined) {
      changes[kind] ??= []
      lines = changes[kind]
    } else if (lines !== null && /^- \S/.test(line)) lines.push(line)
    else
      throw new Error(
        `${file}:${index + 1}: expected a heading (### ${kinds.join(', ### ')}) or a line "- …", not "${line}".`,
      )
  }
  if (Object.values(changes).flat().length === 0) throw new Error(`${file}: the file has no change.`)
  return changes
}

export function mergeChanges(changelog: string, changes: Changes): string {
  const start = changelog.search(/^## /m)
  if (start < 0) throw new Error('CHANGELOG.md has no version.')
  const next = changelog.slice(start + 3).search(/^## /m)
  const end = next < 0 ? changelog.length : start + 3 + next
  let section = changelog.slice(start, end).trimEnd()
  for (const kind of kinds) {
    const lines = changes[kind] ?? []
    if (lines.length === 0) continue
    const heading = `### ${kind}\n`
    const place = section.indexOf(`\n${heading}`)
    section =
      place < 0
        ? `${section}\n\n${heading}${lines.join('\n')}`
        : `${section.slice(0, place + 1)}${heading}${lines.join('\n')}\n${section.slice(place + 1 + heading.length)}`
  }
  return `${changelog.slice(0, start)}${section}\n${next < 0 ? '' : `\n${changelog.slice(end)}`}`
}

export function listChanges(root: string): { file: string; changes: Changes }[] {
  const folder = join(root, '.changes')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map((name) => {
      const file = join(folder, name)
      return { file, changes: readChanges(readFileSync(file, 'utf8'), `.changes/${name}`) }
    })
}

// `node scripts/collect-changes.ts` merges the files of `.changes` into CHANGELOG.md, and deletes them.
if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..')
  const path = join(root, 'CHANGELOG.md')
  const found = listChanges(root)
  // The last file comes first: each merge adds its lines above the earlier ones.
  const merged = found
    .toReversed()
    .reduce((text, { changes }) => mergeChanges(text, changes), readFileSync(path, 'utf8'))
  writeFileSync(path, merged)
  for (const { file } of found) rmSync(file)
  console.log(`${found.length} files of .changes are in CHANGELOG.md now.`)
}
