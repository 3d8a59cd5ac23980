import type { DatasetRequest } from '../../core/contracts/dataset.ts'
import type { Episode } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Json } from '../../core/contracts/json.ts'
import { type LeftOutReason, leftOutReasons } from '../../core/contracts/left-out-reasons.ts'
import type { Run } from '../../core/contracts/run.ts'
import { type Tree, treeSchema } from '../../core/contracts/tree.ts'
import { listEpisodePages } from '../../core/engine/episodes/list-episode-pages.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { Objects } from '../../core/world/ports.ts'
import type { ImportedTrajectories } from '../trajectories/imported-trajectories.ts'
import type { Attempt, AttemptFacts } from './attempt.ts'
import type { Attempts } from './attempts.ts'
import { endDigest } from './end-digest.ts'
import { isAbsent } from './is-absent.ts'
import { openScoreFilter, type ScoreFilter, type ScoresOf } from './score-filter.ts'
import type { SplitsOf } from './splits-of.ts'

export type SourceRuns = Pick<Runs, 'get' | 'episodes' | 'episode' | 'tree' | 'journal' | 'tokens'>
export type SourceTrajectories = Pick<ImportedTrajectories, 'get' | 'facts' | 'trees'>

export interface AttemptNeeds {
  objects: Objects
  runs: SourceRuns
  trajectories: SourceTrajectories
  splitsOf: SplitsOf
  scoresOf?: ScoresOf | undefined
}

export type Source = { sort: 'run'; id: string; run: Run } | { sort: 'import'; id: string }

export interface ListedAttempt {
  facts: Omit<AttemptFacts, 'task_split'>
  /** The stored part with its tree, for imports; null for an episode. */
  part: number | null
  /** A digest of the episode's end, which shows whether it was extended; null for imports. */
  ended: string | null
}

export interface OpenAttempts extends Attempts {
  /** @throws EspalierError `not_found` for an id that is neither a run nor an import */
  source(id: string): Promise<Source>
  scoreFilter(request: Pick<DatasetRequest, 'parameters' | 'scores'>, source: Source): Promise<ScoreFilter>
  list(source: Source): AsyncIterable<ListedAttempt | LeftOutReason>
  /**
   * A listed attempt. Reading its tree or its journal throws `conflict` if its episode was extended since.
   *
   * @param annotation - the annotator's results about it
   */
  reopen(
    listed: ListedAttempt & { facts: AttemptFacts },
    annotation: () => Promise<ReadonlyMap<string, Json> | null>,
  ): Attempt
}

const noAnnotation = async () => null
/** Maximum number of import parts whose trees are cached: attempts are mostly read in their order. */
const partsKept = 4

export function openAttempts({
  objects,
  runs,
  trajectories,
  scoresOf,
  splitsOf,
}: AttemptNeeds): OpenAttempts {
  const treesOf = keepLast(partsKept, (key: string) => {
    const [id, part] = JSON.parse(key) as [string, number]
    return trajectories.trees(id, part)
  })

  async function* listEpisodes(run: Run): AsyncGenerator<ListedAttempt | LeftOutReason> {
    for await (const page of listEpisodePages(runs, run.id)) {
      for (const episode of page) yield listEpisode(run, episode)
    }
  }

  async function* listImported(id: string, from?: string): AsyncGenerator<ListedAttempt> {
    for await (const { part, ...facts } of trajectories.facts(id, from)) {
      yield { facts: { source: id, attempt: 1, ...facts }, part, ended: null }
    }
  }

  async function checkUnchanged({ facts: { source, episode }, ended }: ListedAttempt): Promise<void> {
    if (ended === null || endDigest(await runs.episode(source, episode)) === ended) return
    throw new EspalierError(
      'conflict',
      `The run ${source} was played on while the dataset was built. Build it again.`,
      { param: 'runs' },
    )
  }

  async function treeOf({ facts: { source, episode }, part }: ListedAttempt): Promise<Tree> {
    if (part === null) return readTree({ objects, runs }, source, episode)
    const tree = (await treesOf(JSON.stringify([source, part]))).get(episode)
    if (tree !== undefined) return withoutThoughts(tree)
    throw new EspalierError(
      'storage_failed',
      `The tree of ${episode} of ${source} is missing. Import it again.`,
    )
  }

  function reopen(...[listed, annotation]: Parameters<OpenAttempts['reopen']>): Attempt {
    const { ended, facts, part } = listed
    return {
      ...facts,
      ...(ended !== null && { end: ended }),
      // Check after reading: a check before would miss a change in between.
      async tree() {
        const tree = await treeOf(listed)
        await checkUnchanged(listed)
        return tree
      },
      async journal() {
        if (part !== null) return []
        const records = await runs.journal(facts.source, facts.episode)
        await checkUnchanged(listed)
        return records
      },
      async tokens() {
        if (part !== null) return []
        const records = await runs.tokens(facts.source, facts.episode)
        await checkUnchanged(listed)
        return records
      },
      annotation,
    }
  }

  async function source(id: string): Promise<Source> {
    try {
      return { sort: 'run', id, run: await runs.get(id) }
    } catch (error) {
      if (!isAbsent(error)) throw error
      await trajectories.get(id)
      return { sort: 'import', id }
    }
  }

  async function find(found: Source, episode: string): Promise<ListedAttempt | LeftOutReason> {
    if (found.sort === 'run') return listEpisode(found.run, await runs.episode(found.id, episode))
    // Its first part suffices, however large the import is.
    for await (const listed of listImported(found.id, episode)) {
      if (listed.facts.episode === episode) return listed
    }
    throw new EspalierError('not_found', `There is no trajectory "${episode}" in ${found.id}.`, {
      param: 'episode',
    })
  }

  return {
    source,
    scoreFilter: (request, found) => openScoreFilter(scoresOf, request, found),
    list: (found) => (found.sort === 'run' ? listEpisodes(found.run) : listImported(found.id)),
    reopen,
    async open(id, episode) {
      const listed = await find(await source(id), episode)
      if (typeof listed === 'string') {
        const message = `The episode ${episode} of ${id} is no attempt at a task: ${leftOutReasons[listed]}.`
        throw new EspalierError('invalid_state', message, { param: 'episode' })
      }
      const { environment, data, task } = listed.facts
      const task_split = (await splitsOf(environment, data))?.get(task)?.split ?? null
      return reopen({ ...listed, facts: { ...listed.facts, task_split } }, noAnnotation)
    },
  }
}

/** Thoughts of an import are another model's, and may be summaries or sealed: no row holds them. */
function withoutThoughts(tree: Tree): Tree {
  const bare = <Turn extends { reasoning?: string | undefined }>({ reasoning: _, ...turn }: Turn) => turn
  return { ...tree, messages: tree.messages.map(bare), nodes: tree.nodes.map(bare) }
}

function listEpisode(run: Run, episode: Episode): ListedAttempt | LeftOutReason {
  const facts = episodeFacts(run, episode)
  return typeof facts === 'string' ? facts : { facts, part: null, ended: endDigest(episode) }
}

function keepLast<Value>(
  most: number,
  read: (key: string) => Promise<Value>,
): (key: string) => Promise<Value> {
  const kept = new Map<string, Promise<Value>>()
  return (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const reading = read(key)
    reading.catch(() => kept.delete(key))
    const oldest = kept.size >= most ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(key, reading)
    return reading
  }
}

async function readTree(
  needs: { objects: Objects; runs: Pick<Runs, 'tree'> },
  run: string,
  episode: string,
): Promise<Tree> {
  const answer = await needs.runs.tree(run, episode)
  if ('live' in answer) return treeSchema.parse(answer.live)
  const object = await needs.objects.get(answer.stored)
  if (object === null) {
    throw new EspalierError(
      'not_found',
      `The tree of episode ${episode} of ${run} is missing under ${answer.stored}. Leave the run out, or restore the file.`,
      { param: 'runs' },
    )
  }
  return treeSchema.parse(JSON.parse(Buffer.from(object.body).toString('utf8')))
}

type EpisodeFacts = Omit<AttemptFacts, 'task_split'>

/**
 * Reads an episode as an attempt at its task, if it ended by itself. Learning episodes, unfinished ones and those
 * without a verdict do not show how to do a task.
 *
 * @returns the properties, or why it is no attempt
 */
function episodeFacts({ id, request }: Run, episode: Episode): EpisodeFacts | LeftOutReason {
  const { result } = episode
  if (episode.purpose !== 'play') return 'learned'
  if (episode.status === 'cancelled') return 'cancelled'
  // An extended episode keeps its earlier end until it reaches another.
  if (result === null) return 'not_finished'
  if (result.status === 'errored' || result.status === 'cancelled') return result.status
  const { environment, data = null, method, model, seed } = request
  return {
    source: id,
    episode: episode.id,
    attempt: result.attempt,
    environment,
    data,
    task: episode.task,
    method: method.id,
    model: `${model.endpoint}/${model.id}`,
    status: result.status,
    reward: result.reward,
    success: result.success === true,
    seed,
    ...(model.max_pictures !== undefined && { max_pictures: model.max_pictures }),
  }
}
