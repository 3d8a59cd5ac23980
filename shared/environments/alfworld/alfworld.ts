import { EspalierError } from '../../core/contracts/errors.ts'
import type { DataPack } from '../data-pack.ts'
import type { PureCore, PureEnvironment } from '../environment.ts'
import { findGenerated, type TaskGenerator } from '../generate/task-generator.ts'
import { wrapGame } from './agentboard-game.ts'
import { type AlfworldOptions, defaultAlfworldOptions } from './alfworld-options.ts'
import { type Game, loadGame } from './game.ts'
import { type GameFile, readGameFile } from './game-file.ts'
import { alfworldGuide } from './guide.ts'
import { createHouseholdGenerator } from './household/generate-households.ts'
import { makeGame } from './household/make-game.ts'
import { createHouseholdTasks, type HouseholdTask } from './household/tasks.ts'
import { gamePath, indexPath, packIndexSchema } from './pack-format.ts'
import type { AlfworldState } from './state.ts'
import type { AlfworldTask } from './tasks.ts'

export interface GameSource {
  readonly tasks: readonly AlfworldTask[]
  readonly generators?: readonly TaskGenerator<HouseholdTask>[]
  read(task: string): Promise<GameFile | null>
}

/** Maximum games in the cache. Loading one takes a few milliseconds, and keeping it about a megabyte. */
const mostKept = 32

/**
 * ALFWorld (Shridhar et al., 2021), text only: household tasks in the words and by the rules of the games' own files.
 * Observations, possible commands and rewards equal the original's on TextWorld. The first observation omits the
 * banner "Welcome to TextWorld", as is usual for agents in the field. The seed changes nothing: a game is always the
 * same.
 */
export function createAlfworld(
  source: GameSource,
  options: AlfworldOptions = defaultAlfworldOptions,
): PureEnvironment<AlfworldState> {
  const byId = new Map(source.tasks.map((task) => [task.id, task]))
  const games = new Map<string, Promise<Game>>()

  const load = async (task: string): Promise<Game> => {
    const file = await source.read(task)
    if (file === null) throw unknownTask(task)
    return wrapGame(loadGame(file, task), options)
  }
  const game = (task: string): Promise<Game> => {
    const loading = games.get(task) ?? load(task)
    games.delete(task)
    games.set(task, loading)
    loading.catch(() => games.delete(task))
    const oldest = games.size > mostKept ? games.keys().next().value : undefined
    if (oldest !== undefined) games.delete(oldest)
    return loading
  }

  return {
    id: 'alfworld',
    description:
      'Do household tasks in a text world: find things, clean, heat or cool them and put them away (ALFWorld).',
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: 40,
    tasks: () => source.tasks,
    ...(source.generators && { generators: source.generators }),
    describe: ({ id }) => alfworldGuide(byId.get(id)?.placing ?? 'move', options),
    async open(task) {
      const { reset, step, validActions } = await game(task)
      const core: PureCore<AlfworldState> = {
        reset(asked) {
          if (asked !== task) throw unknownTask(asked)
          return reset()
        },
        step,
        validActions,
      }
      return core
    },
  }
}

export async function openAlfworld(
  pack: DataPack | null,
  options?: AlfworldOptions,
): Promise<PureEnvironment<AlfworldState>> {
  return createAlfworld(pack === null ? householdGames() : await packedGames(pack), options)
}

function householdGames(): GameSource {
  const tasks = createHouseholdTasks()
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const generators = [createHouseholdGenerator()]
  return {
    tasks,
    generators,
    async read(id) {
      const task = byId.get(id) ?? findGenerated(generators, id)?.content
      return task === undefined ? null : makeGame(task)
    },
  }
}

/** A pack on a host may hold one game and no index. Its task list is then empty, and the game is still playable. */
async function packedGames(pack: DataPack): Promise<GameSource> {
  const files = new Set(pack.files)
  return {
    tasks: files.has(indexPath) ? readIndex(await pack.read(indexPath), pack.name) : [],
    async read(task) {
      const path = gamePath(task)
      return files.has(path) ? readGameFile(await pack.read(path), task) : null
    },
  }
}

function readIndex(bytes: Uint8Array, name: string): readonly AlfworldTask[] {
  const parsed = packIndexSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
  if (parsed.success) return parsed.data.tasks
  throw new EspalierError(
    'invalid_request',
    `The pack "${name}" has an ${indexPath} of another form. Add it again: espalier data add alfworld FOLDER.`,
    { param: 'data' },
  )
}

function unknownTask(task: string): EspalierError {
  return new EspalierError(
    'unknown_task',
    `alfworld has no task "${task}". List its tasks to find their ids.`,
    { param: 'tasks.ids' },
  )
}
