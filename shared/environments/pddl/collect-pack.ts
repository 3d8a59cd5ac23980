import { posix } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { type TaskLevel, taskLevelSchema } from '../../core/contracts/task-level.ts'
import type { PackFile, PackSource } from '../data-pack.ts'
import type { EnvironmentTask } from '../environment.ts'
import { isWord, readExpression } from '../planning/expression.ts'
import { type Domain, parseDomain } from '../planning/parse-domain.ts'
import { parseProblem } from '../planning/parse-problem.ts'
import { createPlanningTask } from '../planning/planning-task.ts'
import { problemContent } from './generators/problem-generator.ts'
import { goalText } from './goal-text.ts'
import { languageOf } from './language.ts'
import { indexFile, type PackedProblem, type PackIndex, packContent, problemFile } from './pack-format.ts'

interface DomainFile {
  readonly path: string
  readonly text: string
  readonly domain: Domain
}

const splitFolders = ['test', 'dev', 'train']

export async function* collectPack(source: PackSource): AsyncIterable<PackFile> {
  const domains: DomainFile[] = []
  const problems: { path: string; text: string }[] = []
  for (const path of source.files.filter((file) => file.toLowerCase().endsWith('.pddl'))) {
    const text = new TextDecoder().decode(await source.read(path))
    if (kindOf(text, path) === 'domain') domains.push({ path, text, domain: parseDomain(text, path) })
    else problems.push({ path, text })
  }
  if (domains.length === 0 || problems.length === 0) {
    const missing = domains.length === 0 ? 'domain, (define (domain …) …)' : 'problem, (define (problem …) …)'
    throw new EspalierError(
      'invalid_request',
      `The folder holds no PDDL ${missing}. It should be ${packContent}.`,
    )
  }
  const index: PackIndex = { domains: {}, tasks: [] }
  const seen = new Map<string, string>()
  const splitOf = new Map<string, { path: string; split: string }>()
  for (const { path, text } of problems) {
    const { task, domain, content } = readTask(path, text, domains)
    refuseSecondSplit(splitOf, content, { path, split: task.split })
    const other = seen.get(task.id)
    if (other !== undefined) {
      throw new EspalierError(
        'invalid_request',
        `${path} and ${other} would both be the task "${task.id}". Rename one of them.`,
      )
    }
    seen.set(task.id, path)
    index.domains[domain.path] = domain.text
    index.tasks.push({ ...task, domain: domain.path })
    const packed: PackedProblem = { domain_file: domain.path, domain: domain.text, problem: text }
    yield { path: problemFile(task.id), body: encode(packed) }
  }
  index.tasks.sort((one, other) => splitFolders.indexOf(one.split) - splitFolders.indexOf(other.split))
  yield { path: indexFile, body: encode({ ...index, tasks: await addLevels(source, index.tasks) }) }
}

function encode(value: PackedProblem | PackIndex): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

/**
 * @throws EspalierError if a problem with the same content is in another split: training on one would leak the other
 */
function refuseSecondSplit(
  splitOf: Map<string, { path: string; split: string }>,
  content: string,
  problem: { path: string; split: string },
): void {
  const known = splitOf.get(content)
  if (known === undefined) splitOf.set(content, problem)
  if (known === undefined || known.split === problem.split) return
  throw new EspalierError(
    'invalid_request',
    `${problem.path} and ${known.path} are the same problem in two splits, "${problem.split}" and "${known.split}". Leave one of them out.`,
  )
}

function readTask(
  path: string,
  text: string,
  domains: readonly DomainFile[],
): { task: EnvironmentTask; domain: DomainFile; content: string } {
  const problem = parseProblem(text, path)
  const file = domainFor(path, problem.domain, domains)
  createPlanningTask(file.domain, problem)
  const stem = posix.basename(file.path, posix.extname(file.path))
  const type = stem === 'domain' ? file.domain.name : stem
  const name = path.slice(0, -posix.extname(path).length).replaceAll('/', '-')
  const id = name.startsWith(`${type}-`) ? name : `${type}-${name}`
  const description = `${type}: ${goalText(problem.goal, languageOf(file.domain))}.`
  const split = path
    .split('/')
    .slice(0, -1)
    .findLast((folder) => splitFolders.includes(folder))
  const content = `${file.path} ${problemContent(problem)}`
  return { task: { id, split: split ?? 'test', type, description }, domain: file, content }
}

function domainFor(path: string, name: string | null, domains: readonly DomainFile[]): DomainFile {
  const folder = posix.dirname(path)
  const named = domains.filter(({ domain }) => domain.name === name)
  const nearest =
    named.length <= 1
      ? named[0]
      : (named.find((file) => posix.dirname(file.path) === folder) ??
        named.find((file) => posix.basename(file.path, '.pddl') === posix.basename(folder)) ??
        named.find((file) => folder.startsWith(posix.dirname(file.path))))
  if (nearest !== undefined) return nearest
  throw new EspalierError(
    'invalid_request',
    named.length === 0
      ? `${path} is a problem of the domain "${name ?? ''}", but no file defines that domain.`
      : `${path} is a problem of the domain "${name}", which several files define: ${named.map((file) => file.path).join(', ')}. Put the right one beside the problem.`,
  )
}

function kindOf(text: string, name: string): string {
  const [, title] = readExpression({ text, name }).items
  const kind = title !== undefined && 'items' in title ? title.items[0] : undefined
  if (isWord(kind) && (kind.word === 'domain' || kind.word === 'problem')) return kind.word
  throw new EspalierError(
    'invalid_request',
    `${name} is neither a PDDL domain nor a problem: it should start with (define (domain …) or (define (problem …).`,
  )
}

const order = ['gripper', 'blockworld', 'barman', 'tyreworld']
const labelSchema = z.object({ difficulty: taskLevelSchema })

/**
 * Adds the levels of AgentBoard's label file to its 60 problems. A line names no problem: AgentBoard takes the lines in
 * the order of its domains, and of the problems' sorted file names.
 *
 * @see AgentBoard, agentboard/tasks/pddl.py, get_all_environment_configs
 * @throws EspalierError `invalid_request` if the lines are not as many as the problems
 */
async function addLevels(source: PackSource, tasks: PackIndex['tasks']): Promise<PackIndex['tasks']> {
  const files = source.files.filter((file) => file.endsWith('.jsonl'))
  const levels: TaskLevel[] = []
  for (const path of files)
    levels.push(...readLevels(new TextDecoder().decode(await source.read(path)), path))
  if (levels.length === 0) return tasks
  const labelled = order.flatMap((type) => tasks.filter((task) => task.type === type))
  if (labelled.length !== levels.length) {
    throw new EspalierError(
      'invalid_request',
      `${files.join(', ')} has ${levels.length} levels, and the folder ${labelled.length} problems of ${order.join(', ')}. Give the label file of these problems, or leave it out.`,
    )
  }
  const levelOf = new Map(labelled.map(({ id }, at) => [id, levels[at]]))
  return tasks.map((task) => {
    const level = levelOf.get(task.id)
    return level === undefined ? task : { ...task, level }
  })
}

function readLevels(text: string, path: string): TaskLevel[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const label = labelSchema.safeParse(parseLine(line))
    if (label.success) return [label.data.difficulty]
    throw new EspalierError(
      'invalid_request',
      `${path}, line ${at + 1}, has no difficulty, "easy" or "hard", as AgentBoard's label files have.`,
    )
  })
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
