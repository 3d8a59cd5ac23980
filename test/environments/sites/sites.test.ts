import { expect, test } from 'vitest'
import { parseEnvironmentOptions } from '../../../shared/environments/environment-options.ts'
import { openSites, sitesDefinition } from '../../../shared/environments/sites/definition.ts'
import { sitesTasks } from '../../../shared/environments/sites/tasks.ts'

test('the tasks of the sites come along, each with its split, its sites and the roles that it asks', async () => {
  const tasks = (await openSites()).tasks()
  const of = (split: string) => tasks.filter((task) => task.split === split).length
  expect([tasks.length, of('train'), of('test')]).toEqual([94, 55, 39])
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(94)
  const find = (id: string) => tasks.find((task) => task.id === id)
  expect(find('shopping/0')).toEqual({
    id: 'shopping/0',
    split: 'train',
    type: 'shopping',
    description: 'What does the Solo trekking tent cost?',
  })
  expect(find('classifieds/91')?.type).toBe('classifieds+shopping')
  expect(find('shopping/32')?.asks).toEqual(['judge'])
  expect(sitesTasks().get('reddit/34')?.task.start_url).toBe('__REDDIT__')
})

test('pages are shown as accessibility trees unless a run has marks, and episodes are as long as its early stop says', async () => {
  const options = parseEnvironmentOptions(sitesDefinition)
  expect(options).toMatchObject({
    observation: 'accessibility_tree',
    viewport: { width: 1280, height: 2048 },
  })
  const shorter = parseEnvironmentOptions(sitesDefinition, {
    early_stop: { steps: 5 },
    observation: 'image_som',
  })
  const environment = await sitesDefinition.open(null, shorter)
  expect(environment.default_max_steps).toBe(5)
  expect(() => parseEnvironmentOptions(sitesDefinition, { observation: 'film' })).toThrow(/observation/)
})
