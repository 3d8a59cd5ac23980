import { z } from 'zod'
import type { Message } from '../../core/contracts/message.ts'
import type { ImportSettings, TrajectoryLine } from '../../core/contracts/trajectory-import.ts'
import type { Tree, TreeNode } from '../../core/contracts/tree.ts'
import { digest } from '../../core/engine/digest.ts'
import { readAnswerAction } from '../formats/answer-action.ts'
import { BadRowError, checkShape } from '../formats/bad-row-error.ts'
import { findReadableFormat, otherKind, recogniseFormat } from '../formats/formats.ts'
import { pairMethod, type ReadStep, type ReadTrajectory, type Turn } from '../formats/read-trajectory.ts'
import { environmentNamed, taskNamed } from '../formats/task-name.ts'
import { splitTurns } from './split-turns.ts'

/** Maximum characters of a task's id: paths of games are far shorter. */
const longestTask = 1000

export interface RowPosition {
  file: string | null
  isWhole: boolean
  line: number
  row: number
}

/**
 * Reads a row of a file as a trajectory.
 *
 * @throws BadRowError that names the fault; for a row of another format, its likely format
 */
export function readRow(
  row: Record<string, unknown>,
  settings: ImportSettings,
  { isWhole, ...position }: RowPosition,
): TrajectoryLine {
  const environment = settings.environment === undefined ? null : environmentNamed(settings.environment)
  const read = withSaidBeside(
    row,
    readAs(row, settings, { environment, wholeFile: isWhole ? position.file : null }),
  )
  const played = environmentOf(read, environment)
  const scale = settings.reward_scale ?? read.scales?.get(played ?? '') ?? 1
  const reward = read.reward === null ? settings.reward : toShare(read.reward, scale)
  const path = toPath(read, { head: settings.head ?? read.headLength ?? null, reward, scale })
  return {
    schema_version: 'espalier-trajectory-v1',
    ...position,
    model: settings.model ?? read.model ?? 'unknown',
    reward,
    tree: {
      schema_version: 'espalier-tree-v1',
      environment: played,
      task: taskOf(read, played, path.messages),
      method: read.method === pairMethod ? pairMethod : (settings.method ?? read.method ?? 'expert'),
      ...path,
    },
  }
}

function readAs(
  row: Record<string, unknown>,
  settings: ImportSettings,
  place: { environment: string | null; wholeFile: string | null },
): ReadTrajectory {
  const format = findReadableFormat(settings.format)
  refusePictures(row)
  try {
    return format.read(row, place)
  } catch (error) {
    if (!(error instanceof BadRowError)) throw error
    const kind = otherKind(row)
    if (kind !== null)
      throw new BadRowError(error.field, `${error.message} The row is ${kind}, which is no trajectory.`)
    const other = recogniseFormat(row)
    if (other === null || other.read === format.read) throw error
    throw new BadRowError(
      error.field,
      `${error.message} The row looks like the format ${other.id}, not ${format.id}.`,
    )
  }
}

const besideSchema = z.looseObject({ reward: z.union([z.number(), z.boolean()]).nullish() })

/**
 * Formats of plain chats state no reward and no task. Rows often have a `reward` beside the chat, and those that
 * `stream_rows` gives their `task` beside their `episode`; `task` alone is often the name of a whole benchmark.
 */
function withSaidBeside(row: Record<string, unknown>, read: ReadTrajectory): ReadTrajectory {
  if (read.reward !== null) return read
  const { reward } = checkShape(besideSchema, row)
  const mark = ['label', 'kto_tag'].find((name) => row[name] === false)
  if (mark !== undefined && reward == null) {
    throw new BadRowError(
      mark,
      'the row is marked as bad and has no reward, so nothing says how bad: give it a reward from 0 to 1, or leave such rows out',
    )
  }
  const task = typeof row.episode === 'string' && typeof row.task === 'string' ? row.task : null
  return { ...read, reward: reward == null ? null : Number(reward), task: read.task ?? task }
}

function environmentOf({ environment: said }: ReadTrajectory, asked: string | null): string {
  if (said !== null && asked !== null && said !== asked) {
    throw new BadRowError(null, `the row was played in ${said}, and the import is of ${asked}`)
  }
  const environment = said ?? asked
  if (environment !== null) return environment
  throw new BadRowError(null, 'nothing says where it was played: give the environment (--environment)')
}

function toShare(reward: number, scale: number): number {
  const share = reward / scale
  if (share >= 0 && share <= 1) return share
  const range = scale === 1 ? '' : ` after division by ${scale}`
  throw new BadRowError(
    'reward',
    `rewards are from 0 to 1 here, and this one is ${share}${range}: give the largest there can be (--reward-scale)`,
  )
}

const shareTolerance = 1e-9

/** Checks the range: values are learned from and compared, so one out of range would outweigh all others. */
function toNodeShare(what: string, number: number, scale: number, index: number): number {
  const share = number / scale
  if (share >= -shareTolerance && share <= 1 + shareTolerance) return share
  throw new BadRowError(
    'children',
    `rewards are from 0 to 1 here, and the ${what} of node ${index} (going down first) is ${share}: give the largest there can be (--reward-scale)`,
  )
}

function toPath(
  { body }: ReadTrajectory,
  { head, reward, scale }: { head: number | null; reward: number; scale: number },
): Pick<Tree, 'messages' | 'best' | 'nodes'> {
  if ('nodes' in body) {
    const nodes = body.nodes.map((node, index) => ({
      ...node,
      reward: toNodeShare('reward', node.reward, scale, index),
      value: toNodeShare('value', node.value, scale, index),
    }))
    return { messages: body.head, best: body.best, nodes }
  }
  if ('prompt' in body) return toPair(body, reward)
  const split = 'turns' in body ? splitTurns(body.turns, head) : body
  const steps = split.steps.map((step) =>
    step.reward === undefined ? step : { ...step, reward: step.reward / scale },
  )
  return { messages: split.head, best: steps.length, nodes: pathTree(split.head, steps, reward) }
}

// Two paths from one prompt, the chosen one first. The rejected one has no reward.
function toPair(
  { prompt, chosen, rejected }: { prompt: Turn[]; chosen: Turn[]; rejected: Turn[] },
  reward: number,
): Pick<Tree, 'messages' | 'best' | 'nodes'> {
  const { head, steps } = splitTurns([...prompt, ...chosen], prompt.length)
  const better = pathTree(head, steps, reward)
  const [, ...worse] = pathTree(head, splitTurns([...prompt, ...rejected], prompt.length).steps, 0)
  const beside = worse.map((node, at) => ({ ...node, parent: at === 0 ? 0 : steps.length + at }))
  return { messages: head, best: steps.length, nodes: [...better, ...beside] }
}

/** Rows without a task share one with all rows that begin alike. */
function taskOf({ task }: ReadTrajectory, environment: string, head: Tree['messages']): string {
  if (task === null) return `prompt-${digest(JSON.stringify(head))}`
  if (task.length > longestTask)
    throw new BadRowError(null, `the task's id is longer than ${longestTask} characters`)
  return taskNamed(environment, task)
}

/**
 * The nodes of a trajectory that is a single path: the root shows the last message of the head, each answer is a
 * node. The reward of the whole is the last node's. As in an episode along one path, no value was backed up.
 */
export function pathTree(head: readonly Message[], steps: readonly ReadStep[], reward: number): TreeNode[] {
  const last = steps.length - 1
  return [
    toNode(0, { action: null, message: null, observation: head.at(-1)?.content ?? null }),
    ...steps.map((step, at) =>
      toNode(at + 1, {
        action: step.action ?? readAnswerAction(step.message),
        message: step.message,
        ...(step.reasoning !== undefined && { reasoning: step.reasoning }),
        observation: step.observation,
        reward: at === last ? reward : (step.reward ?? 0),
        terminal: at === last,
        done: step.done ?? at === last,
      }),
    ),
  ]
}

interface NodeFacts extends Partial<Pick<TreeNode, 'reasoning' | 'reward' | 'terminal' | 'done'>> {
  action: string | null
  message: string | null
  observation: string | null
}

function toNode(depth: number, { observation, ...facts }: NodeFacts): TreeNode {
  return {
    parent: depth === 0 ? null : depth - 1,
    depth,
    reward: 0,
    terminal: false,
    done: false,
    disaster: false,
    visits: 0,
    value: 0,
    prior: 1,
    state_hash: null,
    ...facts,
    observation: observation === null ? [] : [{ type: 'text', text: observation }],
  }
}

const columns = ['messages', 'prompt', 'completion', 'conversations', 'steps', 'input', 'output'] as const

/**
 * Refuses a row that shows pictures: imports hold only texts, and without its pictures the trajectory would differ.
 *
 * @throws BadRowError
 */
function refusePictures(row: Record<string, unknown>): void {
  for (const name of ['images', 'image'] as const) {
    const value = row[name]
    if (typeof value === 'string' || (Array.isArray(value) && value.length > 0)) throw refused(name)
  }
  for (const name of columns) {
    const list = row[name]
    if (!Array.isArray(list)) continue
    const place = list.findIndex(hasPicture)
    if (place !== -1) throw refused(`${name}[${place}]`)
  }
}

/** A message, or a step of ATIF, whose observation has results with contents of their own. */
function hasPicture(turn: unknown): boolean {
  if (typeof turn !== 'object' || turn === null) return false
  const { content, message, value, output, observation } = turn as Record<string, unknown>
  if ([content, message, value, output].some(showsPicture)) return true
  const results = typeof observation === 'object' && observation !== null && 'results' in observation
  return results && Array.isArray(observation.results) && observation.results.some(hasPicture)
}

function showsPicture(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.some(
      (part: unknown) =>
        typeof part === 'object' &&
        part !== null &&
        (('type' in part && String(part.type).includes('image')) ||
          // The result of a tool.
          ('content' in part && showsPicture(part.content))),
    )
  )
}

function refused(field: string): BadRowError {
  return new BadRowError(
    field,
    'the row shows pictures, and trajectories are imported as texts alone; play the task here to have its pictures',
  )
}
