import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isInfeasible, osworldTaskSchema } from './task-file.ts'
import { describeNeeds, lacksOf, needsOfTask, type OsworldNeeds } from './task-needs.ts'

/**
 * Writes docs/osworld-tasks.md: the OSWorld tasks that a container can play, by their files.
 *
 *   node shared/environments/osworld/make-table.ts FOLDER    # evaluation_examples of OSWorld
 *
 * The table has the tasks' requirements, and none of their texts.
 */

interface Row {
  id: string
  domain: string
  infeasible: boolean
  needs: OsworldNeeds
  lacks: string[]
}

type Place = 'bare' | 'files' | 'no'

const placeOf = ({ needs, lacks }: Row): Place =>
  lacks.length > 0 ? 'no' : needs.files.length > 0 ? 'files' : 'bare'

async function readRows(folder: string): Promise<Row[]> {
  const json = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, path), 'utf8'))
  const meta = (await json('test_all.json')) as Record<string, string[]>
  const listed = Object.entries(meta).flatMap(([domain, ids]) => ids.map((id) => ({ domain, id })))
  return Promise.all(
    listed.map(async ({ domain, id }): Promise<Row> => {
      const task = osworldTaskSchema.parse(await json(`examples/${domain}/${id}.json`))
      const needs = needsOfTask(task)
      return {
        id,
        domain,
        infeasible: isInfeasible(task),
        needs,
        lacks: lacksOf(needs, new Set(needs.files)),
      }
    }),
  )
}

function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function countRow(name: string, rows: readonly Row[]): (string | number)[] {
  const count = (place: Place) => rows.filter((row) => placeOf(row) === place).length
  return [name, rows.length, count('bare'), count('files'), count('no')]
}

function writePage(rows: readonly Row[]): string {
  const domains = [...new Set(rows.map(({ domain }) => domain))].sort()
  const reasons = new Map<string, { all: number; alone: number }>()
  for (const { lacks } of rows) {
    for (const reason of lacks) {
      const { all, alone } = reasons.get(reason) ?? { all: 0, alone: 0 }
      reasons.set(reason, { all: all + 1, alone: alone + (lacks.length === 1 ? 1 : 0) })
    }
  }
  const byCount = [...reasons].sort(
    ([one, first], [other, second]) => second.all - first.all || (one < other ? -1 : 1),
  )
  const ordered = domains.flatMap((domain) =>
    rows.filter((row) => row.domain === domain).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  )
  const runs = { bare: 'yes', files: 'with its files', no: 'no' }
  return `# OSWorld's tasks in a container

Find the tasks of OSWorld's ${rows.length} (Xie et al. 2024) that the image \`desktop\` can play. The requirements in their files decide. The page is written by
\`node shared/environments/osworld/make-table.ts FOLDER\` from the folder \`evaluation_examples\` of OSWorld; the same rules decide which tasks of a data
pack are in the split \`test\` and which are in the split \`lacking\` (\`shared/environments/osworld/task-needs.ts\`). In doubt, they count a
requirement as needed. Results on OSWorld here are results on the played tasks, and not on OSWorld as a whole.

## By domain

"Without files" are tasks that need nothing but what the image has. "With files" need files from elsewhere too, which are added with the tasks
(\`espalier data add osworld FOLDER\`). The others cannot be played.

${table(
  ['domain', 'tasks', 'without files', 'with files', 'not here'],
  [
    ...domains.map((domain) =>
      countRow(
        domain,
        rows.filter((row) => row.domain === domain),
      ),
    ),
    countRow('all', rows),
  ],
)}

Of the ${rows.filter((row) => placeOf(row) === 'bare').length} without files, ${rows.filter((row) => placeOf(row) === 'bare' && row.infeasible).length} cannot be done at all, so that saying so is the right answer.

## What is missing

A task may lack several things. "Alone" counts the tasks that lack nothing else.

${table(
  ['lacking', 'tasks', 'alone'],
  byCount.map(([reason, { all, alone }]) => [reason, all, alone]),
)}

## All tasks

An id is the first part of the task's own. "Infeasible" tasks cannot be done.

${table(
  ['domain', 'id', 'needs', 'here', 'lacks'],
  ordered.map((row) => [
    row.domain,
    `\`${row.id.slice(0, 8)}\``,
    `${describeNeeds(row.needs)}${row.infeasible ? '; infeasible' : ''}`,
    runs[placeOf(row)],
    row.lacks.join(', '),
  ]),
)}
`
}

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error(
    'Usage: node shared/environments/osworld/make-table.ts FOLDER (evaluation_examples of OSWorld)',
  )
  process.exit(2)
}
const page = writePage(await readRows(resolve(folder)))
await writeFile(resolve(import.meta.dirname, '../../../docs/osworld-tasks.md'), page)
console.log(`docs/osworld-tasks.md: ${page.length} characters`)
