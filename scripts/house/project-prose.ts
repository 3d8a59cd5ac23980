import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { buildProgram } from '../../cli/program.ts'
import { processTerminal } from '../../cli/terminal.ts'
import { createApp } from '../../functions/api/create-app.ts'
import { localPrincipal, newFolderWord } from '../../local/local-principal.ts'
import { wireServices } from '../../local/wire-services.ts'
import { apiTexts, docBlocks, measureProse, type ProseFigures, paragraphs } from './prose.ts'
import { readSources, readTexts } from './read-sources.ts'

export type ProseBody = 'doc blocks' | 'guide' | 'help' | 'API document'

export async function measureProjectProse(root: string): Promise<Record<ProseBody, ProseFigures>> {
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
