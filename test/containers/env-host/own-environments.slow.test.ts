import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadModule } from '../../../shared/environments/added/load-module.ts'
import { openHostWorld } from '../../environments/hosts/host-images.ts'
import { codeOf } from './code-of.ts'

const root = resolve(import.meta.dirname, '../../..')
const inTypeScript = join(root, 'examples/guess-number.ts')
const inPython = join(root, 'examples/guess_number.py')
const hasPython = spawnSync('python3', ['--version']).status === 0

interface Answer {
  id: string
  observation: string
  reward: number
  done: boolean
  valid: boolean
  progress: number
}

async function startHost(environment: Record<string, string>) {
  const world = await openHostWorld()
  const { id, address, reason } = await world.hosts.launch({ image: 'env-host', token: 't', environment })
  expect(reason).toBeNull()
  onTestFinished(() => world.hosts.stop(id))
  const get = async (path: string) => (await fetch(`${address}${path}`)).json()
  const post = async (path: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as Answer
  }
  return { get, post }
}

/** Plays an example as docs/own-environments.md shows it, by halving what is left. */
async function playGuessing(environment: string, host: Awaited<ReturnType<typeof startHost>>) {
  const { get, post } = host
  expect(await get(`/environments/${environment}`)).toMatchObject({
    object: 'environment',
    id: environment,
    default_max_steps: 10,
    splits: { train: 15, test: 5 },
    guide: { rules: expect.stringContaining('guess NUMBER') },
  })
  expect(await get(`/environments/${environment}/tasks?limit=2&after=guess-14`)).toMatchObject({
    object: 'list',
    data: [
      { object: 'task', id: 'guess-15', split: 'test' },
      { object: 'task', id: 'guess-16', split: 'test' },
    ],
    has_more: true,
    last_id: 'guess-16',
  })
  const { id, observation } = await post('/sessions', { environment, task: 'guess-3', seed: 0, token: 1 })
  expect(observation).toBe('I think of a number from 1 to 100.')
  const step = (action: string, step_index: number) =>
    post(`/sessions/${id}/step`, { action, step_index, token: 1 })
  expect(await step('say 5', 0)).toMatchObject({
    observation: 'Write: guess NUMBER',
    valid: false,
    progress: 0,
  })
  let [low, high] = [1, 100]
  for (let index = 1; ; index += 1) {
    const guess = Math.floor((low + high) / 2)
    const { observation, ...answer } = await step(`guess ${guess}`, index)
    expect(answer).toMatchObject({ valid: true, done: observation === 'Right!' })
    if (answer.done) return expect(answer).toMatchObject({ reward: 1, progress: 1 })
    if (observation === 'Higher.') low = guess + 1
    else high = guess - 1
  }
}

describe('an environment of a user', () => {
  test('in one file of TypeScript is served', async () => {
    const host = await startHost({ ESPALIER_HOST_ENVIRONMENTS: inTypeScript })
    await playGuessing('guess-number', host)
    expect(await host.get('/environments')).toMatchObject({
      object: 'list',
      data: expect.arrayContaining([expect.objectContaining({ id: 'textcraft' })]),
    })
  })

  test.skipIf(!hasPython)('as a program in Python (needs python3) is served', async () => {
    const programs = JSON.stringify([['python3', inPython]])
    const host = await startHost({ ESPALIER_HOST_PROGRAMS: programs })
    await playGuessing('guess-number-py', host)
    const wrong = await host.post('/sessions', {
      environment: 'guess-number-py',
      task: 'x',
      seed: 0,
      token: 1,
    })
    expect(wrong).toMatchObject({
      error: { code: 'unknown_task', message: expect.stringContaining('no task x') },
    })
  })

  test('is shown in the documentation as it is', async () => {
    const text = await readFile(join(root, 'docs/own-environments.md'), 'utf8')
    expect(text).toContain(`\`\`\`ts\n${await readFile(inTypeScript, 'utf8')}\`\`\``)
    expect(text).toContain(`\`\`\`python\n${await readFile(inPython, 'utf8')}\`\`\``)
  })

  test('that cannot be loaded, or is none, is named', async () => {
    expect(await codeOf(() => loadModule('/nowhere.ts'))).toBe('invalid_request')
    await expect(loadModule(join(root, 'shared/core/engine/digest.ts'))).rejects.toThrow(
      'exports no environment',
    )
  })
})
