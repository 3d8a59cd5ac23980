import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveWebarena } from '../../../containers/browser/serve-webarena.ts'
import { sessionsOf } from '../../../functions/wiring/sessions-of.ts'
import { loadAddedEnvironments } from '../../../shared/environments/added/load-added-environments.ts'
import { openDataPacks } from '../../../shared/environments/data-packs/open-data-packs.ts'
import { webarenaPackFormat } from '../../../shared/environments/webarena/pack-format.ts'
import { scoreTrace, unpackTrace } from '../../../shared/environments/webarena/verified/stored-trace.ts'
import { completion } from '../../play/models/chat-request.ts'
import { scriptedModels } from '../../play/models/scripted-models.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { committedEffects, playOnce, treeOf } from '../../support/play-once.ts'
import { openServedHost } from '../../support/served-host.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type OwnSite, openOwnSite } from './own-site.ts'

const served = serveWebarena('webarena', () => undefined)
let site: OwnSite
beforeAll(async () => {
  site = await openOwnSite()
})
afterAll(async () => {
  site.close()
  await served.stop?.()
})

const task = {
  task_id: 7,
  sites: ['shopping'],
  start_url: '__SHOPPING__/',
  intent: 'Put the blue lamp into the cart, and say its colour.',
  eval: {
    eval_types: ['string_match', 'program_html'],
    reference_answers: { fuzzy_match: ['blue'] },
    program_html: [
      {
        url: '__SHOPPING__/cart',
        locator: "func:get_query_text(__page__, '.cart')",
        required_contents: { must_include: ['blue lamp'] },
      },
    ],
  },
}

/** The environment as an administrator adds it, over a data pack in a world. */
async function openEnvironment(file = 'test.json', tasks: object[] = [task]) {
  const folder = await temporaryFolder()
  const path = join(folder, 'environments.json')
  const sharing = { kind: 'sessions', close: '/close' }
  const entry = { kind: 'webarena', sites: { shopping: { address: site.address, sharing } } }
  await writeFile(path, JSON.stringify({ environments: { mine: entry } }))
  const [definition] = await loadAddedEnvironments({ path })
  if (definition === undefined) throw new Error('nothing was added')
  const world = await openTestWorld()
  const packs = openDataPacks(world)
  const source = { files: [file], read: async () => Buffer.from(JSON.stringify(tasks)) }
  const { digest } = await packs.add({ environment: 'mine', name: 'own' }, webarenaPackFormat.collect(source))
  const pack = await packs.open('mine', digest)
  const environment = await definition.open(pack)
  const { caller } = await openServedHost(world, served, 'browser')
  const sessions = sessionsOf({ world, hosts: caller })({ environment, pack, definition })
  return { world, environment, sessions }
}

/** A policy that follows its script, and a judge. */
function openPolicy(script: readonly RegExp[], grade: string, said = 'blue') {
  let acted = 0
  const answer = (body: Record<string, unknown>) => {
    if (body.model === 'judge') return grade
    const shown = JSON.stringify((body.messages as { content: string }[]).at(-1)?.content)
    const wanted = script[acted]
    acted += 1
    const id = wanted && /\[(\d+)\]/.exec(wanted.exec(shown)?.[0] ?? '')?.[1]
    return `Action: ${id ? `click [${id}]` : `stop [${said}]`}`
  }
  return scriptedModels([(body) => Response.json(completion(answer(body)))])
}

const addBlue = /\[\d+\] link 'Add Blue lamp'/
const backToShop = /\[\d+\] link 'Sale'/

test('an episode on a real page is scored by its evaluation and its judge', async () => {
  const opened = await openEnvironment()
  const play = async (grade: string) => {
    const endpoint = openPolicy([addBlue], grade)
    const options = {
      ...opened,
      world: { ...opened.world, ...(await openTestWorld()), ledger: opened.world.ledger },
      task: '7',
      model: endpoint.model,
      method: { id: 'react' },
      request: {
        model: { endpoint: 'mine', id: 'gpt-4o', max_tokens: 100 },
        roles: { judge: { id: 'judge' } },
      },
    }
    expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
    return (await treeOf(options)).nodes.at(-1)
  }
  expect(await play('correct')).toMatchObject({ reward: 1, terminal: true, action: 'stop [blue]' })
  expect(await play('incorrect')).toMatchObject({ reward: 0, terminal: true })
})

test('an episode goes on in another session on a page that has changed since, and earns the same', async () => {
  const opened = await openEnvironment()
  const play = async (limits: { steps: number }, script: readonly RegExp[]) => {
    const options = {
      ...opened,
      task: '7',
      model: openPolicy(script, 'correct').model,
      method: { id: 'react' },
      request: {
        model: { endpoint: 'mine', id: 'gpt-4o', max_tokens: 100 },
        roles: { judge: { id: 'judge' } },
      },
    }
    return { outcome: (await playOnce({ ...options, limits })).outcome, options }
  }
  site.news = ['Sale']
  const first = await play({ steps: 2 }, [backToShop, addBlue])
  expect(first.outcome).toMatchObject({ type: 'ended', limit: 'steps' })
  const before = await committedEffects(first.options)
  site.news = ['Open on Sunday', 'New lamps', 'Sale']
  const second = await play({ steps: 9 }, [])
  expect(second.outcome).toEqual({ type: 'ended', limit: null })
  expect((await committedEffects(first.options)).slice(0, before.length)).toEqual(before)
  expect((await treeOf(second.options)).nodes.at(-1)).toMatchObject({ reward: 1, terminal: true })
  site.news = []
})

const verified = {
  ...{ task_id: 8, intent_template_id: 1, sites: ['shopping'], start_urls: ['__SHOPPING__/'], revision: 1 },
  ...{ intent: 'Put the blue lamp into the cart.', intent_template: '', instantiation_dict: {} },
  eval: [
    {
      ...{ evaluator: 'AgentResponseEvaluator', results_schema: { type: 'null' } },
      expected: { task_type: 'mutate', status: 'SUCCESS', retrieved_data: null },
    },
    {
      evaluator: 'NetworkEventEvaluator',
      expected: { url: '__SHOPPING__/add', query_params: { lamp: ['Blue lamp'] }, response_status: 302 },
    },
  ],
}

test('an episode of WebArena-Verified is scored by its requests, which are kept without keys', async () => {
  const opened = await openEnvironment('tasks.json', [verified])
  const play = async (script: readonly RegExp[]) => {
    const said = JSON.stringify({ task_type: 'MUTATE', status: 'SUCCESS', retrieved_data: null })
    const options = {
      ...opened,
      world: { ...opened.world, ...(await openTestWorld()), ledger: opened.world.ledger },
      ...{ task: '8', model: openPolicy(script, '', said).model, method: { id: 'react' } },
      request: { model: { endpoint: 'mine', id: 'gpt-4o', max_tokens: 100 } },
    }
    expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
    return (await treeOf(options)).nodes.at(-1)
  }
  const right = await play([addBlue])
  expect(right).toMatchObject({ reward: 1, terminal: true })
  const trace = await unpackTrace(right?.trace ?? '')
  expect(scoreTrace(trace)).toMatchObject({ score: 1 })
  const { entries } = trace.log
  expect(entries.map(({ request }) => new URL(request.url).pathname)).toEqual(['/', '/add', '/cart'])
  expect(entries.flatMap(({ request }) => request.headers.map(({ name }) => name))).not.toContain('cookie')
  const cut = {
    log: { ...trace.log, _espalier: { ...trace.log._espalier, incomplete: 'requests were lost' } },
  }
  expect(() => scoreTrace(cut)).toThrow(expect.objectContaining({ code: 'environment_failed' }))
  expect(await play([/\[\d+\] link 'Add Red lamp'/])).toMatchObject({ reward: 0, terminal: true })
})
