import { expect, test } from 'vitest'
import type { PackSource } from '../../../shared/environments/data-pack.ts'
import { miniwobDefinition } from '../../../shared/environments/miniwob/definition.ts'
import { pageFamilies } from '../../../shared/environments/miniwob/families.ts'
import { miniwobPackFormat } from '../../../shared/environments/miniwob/pack-format.ts'
import { createMiniwobTasks, pageSeed, readMiniwobTask } from '../../../shared/environments/miniwob/tasks.ts'

const pages = pageFamilies.flatMap((family) => family.pages)

test('has all 130 pages, each in one family and one split', () => {
  expect(pages).toHaveLength(130)
  expect(new Set(pages).size).toBe(130)
  const tasks = createMiniwobTasks()
  const splits = new Map<string, Set<string>>()
  for (const { type, split } of tasks) splits.set(type, (splits.get(type) ?? new Set()).add(split))
  expect([...splits.values()].filter((found) => found.size !== 1)).toEqual([])
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(2600)
})

test('a task names a page and a problem, and seeds never meet', () => {
  expect(readMiniwobTask('click-test/19')).toEqual({ page: 'click-test', problem: 19 })
  for (const wrong of ['click-test/20', 'click-test', 'flight/0', 'click-test/-1'])
    expect(readMiniwobTask(wrong)).toBeNull()
  const seeds = [0, 1, 2].flatMap((seed) => [0, 7, 19].map((problem) => pageSeed(problem, seed)))
  expect(new Set(seeds).size).toBe(9)
})

function sourceOf(files: Record<string, string>): PackSource {
  return { files: Object.keys(files).sort(), read: async (path) => Buffer.from(files[path] ?? '') }
}

test('a pack gives each page what it names, and all the shared files', async () => {
  const root = 'miniwob/html/'
  const files: Record<string, string> = {
    [`${root}core/core.js`]: 'core',
    [`${root}core/d3.v4.min.js`]: 'd3',
    [`${root}common/special/tic-tac-toe/x.png`]: '\u0000png',
    [`${root}flight/Alaska/index.html`]: 'an airline',
  }
  for (const page of pages) files[`${root}miniwob/${page}.html`] = page
  files[`${root}miniwob/tic-tac-toe.html`] = '<script>"../common/special/tic-tac-toe/" + sign</script>'
  files[`${root}miniwob/drag-cube.html`] = '<script src="../core/d3.v4.min.js"></script>'
  const packed: Record<string, Record<string, string>> = {}
  for await (const { path, body } of miniwobPackFormat.collect(sourceOf(files))) {
    packed[path] = JSON.parse(Buffer.from(body).toString('utf8'))
  }
  expect(packed['shared.json']).toEqual({ 'core/core.js': 'core' })
  expect(Object.keys(packed['pages/drag-cube.json'] ?? {})).toEqual([
    'miniwob/drag-cube.html',
    'core/d3.v4.min.js',
  ])
  expect(packed['pages/tic-tac-toe.json']).toMatchObject({
    'common/special/tic-tac-toe/x.png': Buffer.from('\u0000png').toString('base64'),
  })
  expect(JSON.stringify(packed)).not.toContain('an airline')
  expect(miniwobPackFormat.filesOf?.('tic-tac-toe/4')).toEqual(['shared.json', 'pages/tic-tac-toe.json'])
})

test('a folder without the pages is refused with what is missing', async () => {
  const collect = async (files: Record<string, string>) => {
    for await (const file of miniwobPackFormat.collect(sourceOf(files))) expect.unreachable(file.path)
  }
  await expect(collect({ 'a.txt': '' })).rejects.toThrow(/no core\/core\.js in it.*pip download/)
  await expect(collect({ 'core/core.js': '' })).rejects.toThrow(/no miniwob\/click-checkboxes\.html/)
})

test('options name what is shown', () => {
  expect(miniwobDefinition.options?.parse({})).toEqual({
    observation: 'accessibility_tree',
    screenshots: false,
  })
})
