import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { taskLevelSchema } from '../../core/contracts/task-level.ts'
import type { PackFile, PackFormat, PackSource } from '../data-pack.ts'
import { type GameFile, readGameFile } from './game-file.ts'
import type { AlfworldTask } from './tasks.ts'

export const indexPath = 'index.json'

export const packIndexSchema = z.object({
  tasks: z.array(
    z.object({
      id: z.string(),
      split: z.string(),
      type: z.string(),
      description: z.string(),
      placing: z.enum(['move', 'put']),
      level: taskLevelSchema.exactOptional(),
    }) satisfies z.ZodType<AlfworldTask>,
  ),
})

export function gamePath(task: string): string {
  return `${task}/game.tw-pddl`
}

const gameFile = /(?:^|\/)([^/]+\/[^/]+\/[^/]+)\/game\.tw-pddl$/
const labelFile = /\.jsonl$/

type GameLabel = z.infer<typeof labelSchema>

const labelSchema = z.object({
  subgoals: z.array(z.string()),
  difficulty: taskLevelSchema.exactOptional(),
  additional_info: z.object({ description: z.string() }),
})

/**
 * A folder of ALFWorld games as `alfworld-download` unpacks them. As in ALFWorld's own collector, games with sliced
 * or movable receptacle tasks, and those not marked as solvable, are left out. Splits are the folders' names.
 * AgentBoard's labels, in a file such as `test.jsonl` beside the games, add sub-goals and levels.
 */
export const alfworldPackFormat: PackFormat = {
  description:
    'a folder with games as <split>/<task>/<trial>/game.tw-pddl, such as json_2.1.1 of alfworld-download (the folder above valid_seen); optionally a .jsonl file of AgentBoard with sub-goals and levels',
  data: { origin: 'original', about: 'games of ALFWorld' },
  downloads: [
    {
      name: 'json_2.1.3_tw-pddl.zip',
      url: 'https://github.com/alfworld/alfworld/releases/download/0.4.2/json_2.1.3_tw-pddl.zip',
      sha256: null,
    },
  ],
  collect,
  filesOf: (task) => [gamePath(task)],
}

async function* collect(source: PackSource): AsyncIterable<PackFile> {
  const labels = await readLabels(source)
  const tasks = new Map<string, AlfworldTask>()
  for (const path of source.files) {
    const id = gameFile.exec(path)?.[1]
    if (id === undefined || /movable|Sliced/.test(id) || tasks.has(id)) continue
    const body = await source.read(path)
    const game = readGameFile(body, path)
    if (game.solvable !== true) continue
    const [split = '', folder = '', trial = ''] = id.split('/')
    const label = labels.get(`${folder}/${trial}`)
    const level = label?.difficulty
    tasks.set(id, { ...taskOf(id, split, folder, game), ...(level !== undefined && { level }) })
    yield { path: gamePath(id), body: label ? encode({ ...game, subgoals: label.subgoals }) : body }
  }
  if (tasks.size === 0) {
    throw new EspalierError(
      'invalid_request',
      `There is no playable game in it: it needs ${alfworldPackFormat.description}. Run alfworld-download, or unpack json_2.1.3_tw-pddl.zip of ALFWorld's releases.`,
    )
  }
  yield { path: indexPath, body: encode({ tasks: [...tasks.values()] }) }
}

function taskOf(id: string, split: string, folder: string, game: GameFile): AlfworldTask {
  const sentence = /Your task is to: ([^"\\]*)/.exec(game.grammar)?.[1]?.trim() ?? folder
  return {
    id,
    split,
    type: folder.split('-', 1)[0] ?? folder,
    description: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`,
    placing: /template\s*::\s*"put \{o\} in\/on \{r\}"/.test(game.grammar) ? 'put' : 'move',
  }
}

async function readLabels(source: PackSource): Promise<Map<string, GameLabel>> {
  const labels = new Map<string, GameLabel>()
  for (const path of source.files.filter((file) => labelFile.test(file))) {
    const lines = new TextDecoder().decode(await source.read(path)).split('\n')
    for (const [number, line] of lines.entries()) {
      if (line.trim() === '') continue
      const label = labelSchema.safeParse(parseLine(line, `${path}, line ${number + 1}`))
      if (label.success) labels.set(label.data.additional_info.description, label.data)
    }
  }
  return labels
}

function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new EspalierError('invalid_request', `${place} is no JSON: ${String(error)}`, { cause: error })
  }
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}
