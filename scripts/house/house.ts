import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { endWithReader } from '../../cli/end-with-reader.ts'
import { buildProgram } from '../../cli/program.ts'
import { processTerminal } from '../../cli/terminal.ts'
import { createApp } from '../../functions/api/create-app.ts'
import { localPrincipal, newFolderWord } from '../../local/local-principal.ts'
import { wireServices } from '../../local/wire-services.ts'
import { measureHouse } from './measure-house.ts'
import { measureRooms, roomsOverLimits } from './measure-rooms.ts'
import {
  apiTexts,
  docBlocks,
  measureProse,
  mostDocBlocks,
  overLimits,
  type ProseFigures,
  paragraphs,
} from './prose.ts'
import { readSources, readTexts } from './read-sources.ts'

/** `npm run house`: the shape of the project in figures. `-- --list` also names the counted files. */
const root = resolve(import.meta.dirname, '../..')
const figures = measureHouse(root)
const { files, lines, overlong, styles, crumbs, repeated, oldWords, reached, iterations } = figures
const list = process.argv.includes('--list')
endWithReader()

function print(what: string, figure: string | number, members: string[] = []): void {
  console.log(`${what.padEnd(66)} ${figure}`)
  if (list) for (const member of members) console.log(`  ${member}`)
}

print('sources', files)
print('lines of a source: median', lines.median)
print('lines of a source: 90 % have at most', lines.p90)
print('lines of a source: at most', lines.most, [lines.longest])
print('files of more than 400 lines, tests too', overlong.length, overlong)
print('style sheets', styles)
print(
  'files of at most 30 lines with one importer, in the same folder',
  crumbs.length,
  crumbs.map(({ file, lines: own, importer }) => `${file} (${own}) ← ${importer}`),
)
print(
  'names that several files of shared/ export',
  repeated.length,
  repeated.map(({ name, files: definers }) => `${name}: ${definers.join(', ')}`),
)
print(
  'lines with words of the old vocabulary',
  oldWords.length,
  oldWords.map(({ file, line, text }) => `${file}:${line} ${text}`),
)
for (const { start, files: own, lines: ownLines } of reached) {
  print(`reached from methods/${start}: files, lines`, `${own}, ${ownLines}`)
}
for (const { method, files: own, lines: ownLines } of iterations) {
  print(`one iteration of mcts/${method}, types included: files, lines`, `${own.length}, ${ownLines}`, own)
}
print('files at the root', figures.rootFiles.length, figures.rootFiles)
print('scripts of package.json', figures.scripts.length, figures.scripts)

const rooms = measureRooms(root)
for (const { id, outside } of rooms) print(`files outside its room that name ${id}`, outside.length, outside)

const prose = await measureProjectProse(root)
const columns = ['texts', 'words', 'W-openings %', '"what"', '"where"', '"that was"']
const row = (name: string, cells: readonly (string | number)[]) =>
  console.log(name.padEnd(14) + cells.map((cell) => String(cell).padStart(14)).join(''))
row('\nprose', columns)
for (const [body, { texts, words, openings, whatNouns, wheres, passives }] of Object.entries(prose)) {
  row(body, [texts, words, ...[openings, whatNouns, wheres, passives].map((figure) => figure.toFixed(1))])
}
const excesses = Object.entries(prose).flatMap(([body, measured]) =>
  overLimits(measured).map((excess) => `${body}: ${excess}`),
)
excesses.push(...roomsOverLimits(rooms))
const blocks = prose['doc blocks'].texts
if (blocks > mostDocBlocks) excesses.push(`doc blocks: ${blocks} (limit ${mostDocBlocks})`)
for (const excess of excesses) console.error(`above the limit: ${excess}`)
if (excesses.length > 0) process.exitCode = 1

type ProseBody = 'doc blocks' | 'guide' | 'help' | 'API document'

async function measureProjectProse(root: string): Promise<Record<ProseBody, ProseFigures>> {
  const pages = readTexts(root).filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md')
  return {
    'doc blocks': measureProse(readSources(root).flatMap(({ text }) => docBlocks(text))),
    guide: measureProse(pages.flatMap((file) => paragraphs(readFileSync(join(root, file), 'utf8')))),
    help: measureProse(helpTexts(await buildProgram(processTerminal()))),
    'API document': measureProse(apiTexts(await readApiDocument())),
  }
}

function helpTexts(command: Command): string[] {
  const own = [...command.registeredArguments, ...command.options].map(({ description }) => description)
  return [command.description(), ...own, ...command.commands.flatMap(helpTexts)].filter(Boolean)
}

async function readApiDocument(): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-house-'))
  const wiring = await wireServices({ folder, capacity: 1, log: () => {}, endpoints: new Map() })
  try {
    const { keys } = wiring.services
    const authenticate = localPrincipal({ keys, auth: 'none', word: newFolderWord() })
    const app = createApp(wiring.services, { authenticate, log: () => {} })
    return await (await app.request('/openapi.json')).json()
  } finally {
    await wiring.close(0)
    await rm(folder, { recursive: true, force: true })
  }
}
