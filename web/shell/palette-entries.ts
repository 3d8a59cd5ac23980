import { episodeId, episodeIndex } from '../../shared/core/contracts/episode-id.ts'
import {
  compareAddress,
  episodeAddress,
  labelAddress,
  runAddress,
  searchAddress,
} from '../format/addresses.ts'
import { menuGroups } from './menu-pages.ts'

export interface PaletteEntry {
  group: 'Pages' | 'Actions' | 'This run' | 'Runs' | 'Episodes' | 'Search'
  name: string
  note?: string
  to: string
}

const pages: readonly PaletteEntry[] = menuGroups.flatMap(({ name, pages: own }) =>
  own.map((page) => ({
    group: 'Pages' as const,
    name: page.name,
    ...(own.length > 1 && { note: name }),
    to: page.to,
  })),
)

const actions: readonly PaletteEntry[] = [
  ['New run', '/runs/new'],
  ['New dataset', '/datasets/new'],
  ['New training', '/trainings/new'],
  ['New loop', '/loops/new'],
  ['Add an endpoint', '/new-endpoint'],
  ['Compare two episodes', '/compare/episodes'],
].map(([name = '', to = '']) => ({ group: 'Actions', name, to }))

export function runInAddress(path: string): string | null {
  const [, run] = /^\/runs\/([\w-]+)/.exec(path) ?? []
  return run === undefined || run === 'new' ? null : run
}

function ofRun(run: string): PaletteEntry[] {
  const failed = `${runAddress(run)}?status=failed#episodes`
  return [
    ['Show the run', runAddress(run)],
    ['Failed episodes', failed],
    ['Judge episodes', labelAddress(run)],
    ['Compare with …', compareAddress([run])],
    ['Build a dataset', `/datasets/new?runs=${encodeURIComponent(run)}`],
    ['New run from this', `/runs/new?from=${encodeURIComponent(run)}`],
    ['Search in it', searchAddress(run)],
  ].map(([name = '', to = '']) => ({ group: 'This run', name, note: run, to }))
}

function byId(text: string, run: string | null): PaletteEntry[] {
  const [, typedRun, typedEpisode] = /^(?:(run-[\w-]+))?[\s/]*(ep-\d+|\d{1,7})?$/.exec(text) ?? []
  const place = typedRun ?? run
  if (place === null || (typedRun === undefined && typedEpisode === undefined)) return []
  if (typedEpisode === undefined) return [{ group: 'Runs', name: place, to: runAddress(place) }]
  const index = episodeIndex(typedEpisode) ?? Number(typedEpisode.replace('ep-', ''))
  const id = episodeId(index)
  return [{ group: 'Episodes', name: id, note: place, to: episodeAddress(place, id) }]
}

function bySearch(text: string, run: string | null): PaletteEntry[] {
  const words = encodeURIComponent(text)
  const all = {
    group: 'Search' as const,
    name: `Search all episodes for “${text}”`,
    to: `/search?q=${words}`,
  }
  if (run === null) return [all]
  const tasks = `${runAddress(run)}?task=${words}#episodes`
  return [{ group: 'Search', name: `Episodes of this run with “${text}” in their task`, to: tasks }, all]
}

export function paletteEntries(
  typed: string,
  path: string,
  found: readonly { id: string; name: string; note: string }[],
): PaletteEntry[] {
  const text = typed.trim()
  const run = runInAddress(path)
  const words = text.toLowerCase().split(/\s+/)
  const matches = ({ name, note = '' }: PaletteEntry) =>
    words.every((word) => `${name} ${note}`.toLowerCase().includes(word))
  const runs = found.map(
    ({ id, name, note }): PaletteEntry => ({ group: 'Runs', name, note, to: runAddress(id) }),
  )
  const fixed = [...(run === null ? [] : ofRun(run)), ...pages, ...actions].filter(matches)
  if (text === '') return [...fixed, ...runs]
  const ids = byId(text, run)
  const others = runs.filter(({ to }) => ids.every((entry) => entry.to !== to))
  return [...ids, ...fixed, ...others, ...bySearch(text, run)]
}
