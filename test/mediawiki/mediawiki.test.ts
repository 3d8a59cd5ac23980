import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveWebarena } from '../../containers/browser/serve-webarena.ts'
import { hostFilesOf, sessionsOf } from '../../functions/wiring/sessions-of.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { openDataPacks } from '../../shared/environments/data-packs/open-data-packs.ts'
import { isHosted } from '../../shared/environments/environment.ts'
import { webarenaPackFormat } from '../../shared/environments/webarena/pack-format.ts'
import { completion } from '../play/models/chat-request.ts'
import { scriptedModels } from '../play/models/scripted-models.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { playOnce, treeOf } from '../support/play-once.ts'
import { openServedHost } from '../support/served-host.ts'
import { lentFolder, temporaryFolder } from '../support/temporary-folder.ts'
import { startWiki } from './start-wiki.ts'

const served = serveWebarena('webarena', () => undefined)
let wiki: Awaited<ReturnType<typeof startWiki>>
beforeAll(async () => {
  const { folder, remove } = await lentFolder()
  wiki = await startWiki(folder)
  return async () => {
    await wiki.stop()
    await remove()
  }
})
afterAll(() => served.stop?.())

const start = { sites: ['wikipedia'], require_login: false, storage_state: null }
const sandbox = {
  url: '__WIKIPEDIA__/index.php/Sandbox',
  locator: "document.querySelector('#mw-content-text').innerText",
}
const tasks = [
  {
    ...start,
    task_id: 0,
    start_url: '__WIKIPEDIA__/index.php/Birkvale',
    intent: 'In which year was the walled garden of Birkvale laid out?',
    eval: { eval_types: ['string_match'], reference_answers: { exact_match: '1871' } },
  },
  {
    ...start,
    task_id: 1,
    start_url: '__WIKIPEDIA__/index.php/Walled_garden',
    intent: 'Open the page about the trees that the walled garden is known for.',
    eval: {
      eval_types: ['url_match'],
      reference_url: '__WIKIPEDIA__/index.php/Pear_tree',
      url_note: 'GOLD in PRED',
    },
  },
  {
    ...start,
    task_id: 2,
    start_url: '__WIKIPEDIA__/index.php?title=Sandbox&action=edit',
    intent: 'Write "Espaliers need sun." on the page Sandbox.',
    eval: {
      eval_types: ['program_html'],
      program_html: [{ ...sandbox, required_contents: { must_include: ['Espaliers need sun.'] } }],
    },
  },
]

/** What is done in each task: what to find on the page, and what to do with its number. */
const scripts: Readonly<Record<string, readonly (readonly [RegExp, (id: string) => string])[]>> = {
  0: [
    [/\[(\d+)\] link 'walled garden'/, (id) => `click [${id}]`],
    [/\[(\d+)\] StaticText '[^\n]*laid out in 1871/, () => 'stop [1871]'],
  ],
  1: [
    [/\[(\d+)\] link 'pear tree/, (id) => `click [${id}]`],
    [/\[(\d+)\] heading 'Pear tree'/, () => 'stop []'],
  ],
  2: [
    [/\[(\d+)\] textbox '(?:Editing|Wikitext)/, (id) => `type [${id}] [Espaliers need sun.] [0]`],
    [/\[(\d+)\] button 'Save/, (id) => `click [${id}]`],
    [/StaticText '[^\n]*Espaliers need sun/, () => 'stop []'],
  ],
}

async function openWiki() {
  const path = join(await temporaryFolder(), 'environments.json')
  const sharing = { kind: 'sessions', close: '/close' }
  const entry = { kind: 'webarena', sites: { wikipedia: { address: wiki.address, sharing } } }
  await writeFile(path, JSON.stringify({ environments: { gardens: entry } }))
  const [definition] = await loadAddedEnvironments({ path })
  if (definition === undefined) throw new Error('Nothing was added.')
  const world = await openTestWorld()
  const packs = openDataPacks(world)
  const source = { files: ['test.json'], read: async () => Buffer.from(JSON.stringify(tasks)) }
  const added = webarenaPackFormat.collect(source)
  const { digest } = await packs.add({ environment: 'gardens', name: 'own' }, added)
  const pack = await packs.open('gardens', digest)
  const environment = await definition.open(pack)
  if (!isHosted(environment) || environment.host.kind !== 'image') throw new Error('It runs on hosts.')
  const { host } = environment
  const { caller } = await openServedHost(world, served, 'browser')
  const sessions = sessionsOf({ world, hosts: caller })({ environment, pack, definition })
  const open = async (task: string) =>
    served.open({ task, seed: 0, files: (await hostFilesOf({ pack, definition }, host).files?.(task)) ?? {} })
  return { world, environment, sessions, open }
}

test.each(['0', '1', '2'])('task %s is played to its reward by clicks and keys', async (task) => {
  const opened = await openWiki()
  let [acted, looked] = [0, 0]
  const { model } = scriptedModels([
    (body) => {
      const messages = body.messages as { content: string }[]
      const shown = String(messages.at(-1)?.content)
      const [pattern, act] = scripts[task]?.[acted] ?? []
      const found = pattern?.exec(shown)
      if (found && act) {
        acted += 1
        return Response.json(completion(`Action: ${act(found[1] ?? '')}`))
      }
      // PHP may answer after the page was looked at.
      looked += 1
      return Response.json(
        completion(
          `Action: ${looked > 8 ? 'stop [It is not shown.]' : `scroll [${looked % 2 ? 'up' : 'down'}]`}`,
        ),
      )
    },
  ])
  const request = { model: { endpoint: 'mine', id: 'scripted', max_tokens: 100 } }
  const options = { ...opened, task, model, method: { id: 'react', max_steps: 15 }, request }
  expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
  const { nodes } = await treeOf(options)
  expect(
    nodes.at(-1),
    JSON.stringify(nodes.map(({ action, observation }) => [action, observation])),
  ).toMatchObject({
    reward: 1,
    terminal: true,
  })
})

test('what one session writes is seen by no other, and not by itself after a reset', async () => {
  const { open } = await openWiki()
  const [one, other] = [await open('2'), await open('2')]
  const boxOf = (text: string) => /\[(\d+)\] textbox '(?:Editing|Wikitext)/.exec(text)?.[1]
  const begun = await one.reset()
  const typed = await one.step(`type [${boxOf(begun.observation)}] [Mine.] [0]`)
  let { observation } = await one.step(`click [${/\[(\d+)\] button 'Save/.exec(typed.observation)?.[1]}]`)
  for (let looked = 0; observation.includes('Editing Sandbox') && looked < 8; looked += 1) {
    observation = (await one.step(`scroll [${looked % 2 ? 'up' : 'down'}]`)).observation
  }
  expect(observation).toMatch(/heading 'Sandbox'[\s\S]*Mine\./)
  expect((await other.reset()).observation).not.toContain('Mine.')
  expect((await one.reset()).observation).not.toContain('Mine.')
  await Promise.all([one.close(), other.close()])
})
