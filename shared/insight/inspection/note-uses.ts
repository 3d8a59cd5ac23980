import type { MemoryNote, NoteUses } from '../../core/contracts/memory.ts'
import { listEpisodePages } from '../../core/engine/episodes/list-episode-pages.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { shuffled } from '../../core/random/shuffled.ts'
import { readNotes } from './read-notes.ts'

const mostRead = 500
/** Maximum nodes of trees, and of journals, in memory together; a larger journal is read alone. */
const nodesAtOnce = 10_000
const mostAtOnce = 16
const usualNodes = 1000
/** Milliseconds after which no further journal is read: a client waits for half a minute at most. */
const longest = 15_000

const mostPlaces = 20

type Use = NoteUses['uses'][number]
type Looked = Pick<NoteUses, 'episodes' | 'uses'>

/**
 * The uses of a memory's notes in the episodes of a run: in all of them, or in a seeded sample of a large run, within
 * the time limit. The notes come in their own order, without unused ones.
 * @param now milliseconds
 */
export async function countNoteUses(
  runs: Pick<Runs, 'episodes' | 'journal'>,
  run: string,
  notes: readonly MemoryNote[],
  now: () => number,
): Promise<Looked> {
  const until = now() + longest
  const uses = new Map<string, Use>(
    notes.map((note) => [noteName(note), { note: note.id, count: 0, places: [] }]),
  )
  const begun = await listBegun(runs, run)
  // In the sample's order, so that the journals read before the time limit are a sample, too.
  const chosen = shuffled(begun, seededRandom('note uses')).slice(0, mostRead)
  let read = 0
  while (read < chosen.length && (read === 0 || now() < until)) {
    const batch = nextBatch(chosen, read)
    const looked = batch.map(async ({ id, task }) => {
      const found = readNotes(await runs.journal(run, id))
      return { episode: id, task, found }
    })
    for (const { episode, task, found } of await Promise.all(looked)) {
      for (const { node, notes: shown } of found) {
        for (const note of shown) count(uses.get(noteName(note)), { episode, task, node })
      }
    }
    read += batch.length
  }
  return {
    episodes: { total: begun.length, read },
    uses: [...uses.values()].filter(({ count }) => count > 0),
  }
}

function nextBatch(chosen: readonly Begun[], start: number): Begun[] {
  let nodes = 0
  const most = chosen.slice(start, start + mostAtOnce)
  const tooMany = most.findIndex((episode) => {
    nodes += episode.nodes
    return nodes > nodesAtOnce
  })
  return tooMany === -1 ? most : most.slice(0, Math.max(1, tooMany))
}

function count(use: Use | undefined, place: Use['places'][number]): void {
  if (use === undefined) return
  use.count += 1
  // Ids of episodes sort as they are numbered; within one, places stay in the order they come.
  const behind = use.places.findLastIndex(({ episode }) => episode <= place.episode)
  use.places.splice(behind + 1, 0, place)
  if (use.places.length > mostPlaces) use.places.pop()
}

type Begun = { id: string; task: string; nodes: number }

async function listBegun(runs: Pick<Runs, 'episodes'>, run: string): Promise<Begun[]> {
  const begun: Begun[] = []
  for await (const page of listEpisodePages(runs, run)) {
    for (const { id, result, starts, task } of page) {
      if (starts > 0) begun.push({ id, task, nodes: result?.nodes ?? usualNodes })
    }
  }
  return begun
}

/**
 * A name that identifies a note. Ids are unique in one memory only, and an episode may be shown notes of two, so the
 * name includes the note's text.
 */
export function noteName({
  id,
  note,
  observation,
  side,
  task,
}: Pick<MemoryNote, 'id' | 'note' | 'observation' | 'side' | 'task'>): string {
  return JSON.stringify([id, side, task, note, observation])
}
