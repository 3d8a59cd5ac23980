import { createHash } from 'node:crypto'
import type { EpisodeCall, EpisodeCalls } from '../../core/contracts/episode-calls.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Growth, GrowthEvent, GrowthStep } from '../../core/contracts/growth.ts'
import type { UsedNote } from '../../core/contracts/node-detail.ts'
import type { CallTokens, EpisodeTokens, TokenRecord } from '../../core/contracts/token-record.ts'
import { addUsage, noUsage } from '../../core/contracts/usage.ts'
import type { JournalRecord } from '../../core/engine/journal-record.ts'
import { runOfMemory } from '../../core/engine/memories/learned-id.ts'
import type { MemoryReader } from '../../core/engine/memories/memory-reader.ts'
import type { Memories } from '../../core/engine/memories/open-memories.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import { showParts } from '../../core/pictures/show-parts.ts'
import type { World } from '../../core/world/ports.ts'
import { answerBefore } from '../../play/methods/token-prompts.ts'
import type { SearchTree } from '../../play/search/tree.ts'
import type { TreeEntry } from '../../play/search/tree-entry.ts'
import { type StatusScale, usualVerdicts } from '../../play/search/values/statuses.ts'
import { placeOf } from './call-place.ts'
import { describeNode, describeState } from './describe-node.ts'
import type { EpisodeCache, ReadEpisode } from './episode-cache.ts'
import { followStates } from './follow-states.ts'
import type { Inspection } from './inspection.ts'
import { countNoteUses, noteName } from './note-uses.ts'
import type { CommittedCall } from './read-calls.ts'
import type { FoundNote } from './read-notes.ts'
import type { StatesOf } from './task-states.ts'
import { type AgentTurn, turnVerdicts } from './turn-verdicts.ts'

export interface InspectionNeeds {
  runs: Pick<Runs, 'get' | 'episode' | 'episodes' | 'journal' | 'tokens'>
  memories: Pick<Memories, 'memory'>
  cache: EpisodeCache
  reader: Pick<MemoryReader, 'notesOf'>
  objects: Pick<World['objects'], 'sign'>
  statesOf: StatesOf
  clock: Pick<World['clock'], 'now'>
}

export function openInspection(needs: InspectionNeeds): Inspection {
  const { runs, clock, memories, objects, reader, cache, statesOf } = needs
  return {
    async growth(run, episode) {
      const { records } = await cache.read(runs, run, episode)
      const growth = readGrowth(records)
      if (growth === null) throw noTree(episode)
      return { object: 'growth', run, episode, ...growth }
    },
    async node(run, episode, index) {
      const { request } = await runs.get(run)
      const read = await cache.read(runs, run, episode)
      if (read.played === null) throw noTree(episode)
      const { task, tree } = read.played
      const node = tree.nodes[index]
      if (!node) throw noNode(episode, index, tree.nodes.length)
      const { memory_from: memoryFrom, value, scale = usualScale(value) } = request.method
      const { found, ...said } = describeNode(read, tree, node, scale)
      const state = await followStates({ tree, played: { ...request, task }, statesOf }, node)
      return {
        object: 'node',
        run,
        episode,
        index,
        ...said,
        observation: await showParts(node.observation, objects),
        notes: await usedNotes(found, { run, memoryFrom }, reader),
        ...describeState(state),
      }
    },
    async calls(run, episode) {
      const read = await cache.read(runs, run, episode)
      return { object: 'episode_calls', run, episode, ...listCalls(read) }
    },
    async tokens(run, episode) {
      const read = await cache.read(runs, run, episode)
      const records = await runs.tokens(run, episode)
      return { object: 'episode_tokens', run, episode, ...listTokens(read, records) }
    },
    async waterfall(run, episode) {
      const { deriveWaterfall } = await import('./derive-waterfall.ts')
      const { created_at } = await runs.get(run)
      const { records, played } = await cache.read(runs, run, episode)
      const queuedAt = Date.parse(created_at)
      const derived = deriveWaterfall({ records, tree: played?.tree ?? null, queuedAt })
      return { object: 'waterfall', run, episode, ...derived }
    },
    async journalDigest(run, episode) {
      const records = await runs.journal(run, episode)
      const digest = createHash('sha256')
      for (const record of records) digest.update(`${JSON.stringify(record)}\n`)
      return {
        object: 'journal_digest',
        run,
        episode,
        records: records.length,
        sha256: digest.digest('hex'),
      }
    },
    async noteUses(memory, { run: named }) {
      const { run: own } = await memories.memory(memory)
      const run = named ?? own
      await runs.get(run)
      const notes = await reader.notesOf(own, { before: null })
      return {
        object: 'note_uses',
        memory,
        run,
        ...(await countNoteUses(runs, run, notes, () => clock.now())),
      }
    },
  }
}

function noTree(episode: string): EspalierError {
  return new EspalierError(
    'not_found',
    `The episode ${episode} has no tree: it has not begun, or it only asks a model about another one, which is its task.`,
    { param: 'episode' },
  )
}

function noNode(episode: string, index: number, nodes: number): EspalierError {
  return new EspalierError(
    'not_found',
    `The tree of ${episode} has no node ${index}. It has ${nodes} ${nodes === 1 ? 'node: 0' : `nodes: 0 to ${nodes - 1}`}.`,
    { param: 'node' },
  )
}

function usualScale(value: unknown): StatusScale | undefined {
  return value === 'single-debate' ? usualVerdicts['single-debate'].scale : undefined
}

interface ShownRun {
  run: string
  memoryFrom: unknown
}

async function usedNotes(
  found: readonly FoundNote[],
  { memoryFrom, run }: ShownRun,
  reader: Pick<MemoryReader, 'notesOf'>,
): Promise<UsedNote[]> {
  const earlier = typeof memoryFrom === 'string' && found.length > 0 ? runOfMemory(memoryFrom) : null
  const theirs = new Set(
    earlier === null ? [] : (await reader.notesOf(earlier, { before: null })).map(noteName),
  )
  return found.map((shown) => {
    const { episode, id, note, score, side, task } = shown
    const writer = earlier !== null && theirs.has(noteName(shown)) ? earlier : run
    return { id, side, run: writer, episode, task, note, similarity: score ?? null }
  })
}

function listCalls({
  calls,
  played,
}: Pick<ReadEpisode, 'calls' | 'played'>): Pick<EpisodeCalls, 'messages' | 'calls'> {
  const positions = new Map<string, number>()
  const messages: EpisodeCalls['messages'] = []
  const listed = calls.map((call): EpisodeCall => {
    const { messages: shown, ...said } = call.show()
    const prompt = call.prompt.map((digest, index) => {
      const known = positions.get(digest)
      if (known !== undefined) return known
      const message = shown[index]
      if (message === undefined) throw new Error(`The journal lacks the message ${digest} of "${call.key}".`)
      positions.set(digest, messages.length)
      return messages.push(message) - 1
    })
    const node = played === null ? null : placeOf(call, played.tree).node
    return { ...said, at: call.at, elapsed: call.elapsed, node, prompt }
  })
  return { messages, calls: listed }
}

function listTokens(
  { calls, played }: Pick<ReadEpisode, 'calls' | 'played'>,
  records: readonly TokenRecord[],
): Pick<EpisodeTokens, 'calls' | 'unrecorded'> {
  const byCall = new Map(records.map((record) => [record.call, record]))
  const tree = played?.tree ?? null
  const turns = tree === null ? [] : calls.flatMap((call) => turnOf(call, tree, byCall) ?? [])
  const verdicts = turnVerdicts(turns)
  const listed = calls.flatMap((call): CallTokens[] => {
    const record = byCall.get(call.key)
    if (record === undefined) return []
    const node = tree === null ? null : placeOf(call, tree).node
    return [{ ...record, asked: call.asked, node, verdict: verdicts.get(call.key) ?? null }]
  })
  const answered = calls.filter(({ given }) => given !== null)
  return { calls: listed, unrecorded: answered.length - listed.length }
}

function turnOf(
  call: CommittedCall,
  tree: SearchTree,
  records: ReadonlyMap<string, TokenRecord>,
): AgentTurn | null {
  const { node, kind } = placeOf(call, tree)
  if (call.asked !== 'policy' || kind !== 'expansion' || !call.key.startsWith('node/')) return null
  const previous = answerBefore(tree.node(node)) ?? null
  const { messages } = call.show()
  return {
    call: call.key,
    start: node,
    previous,
    messages,
    answers: call.given ?? [],
    record: records.get(call.key) ?? null,
  }
}

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
