import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { openScorer } from '../../cli/scoring/open-scorer.ts'
import type { ScoredEpisode } from '../../shared/core/contracts/scoring.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { installPackage } from './python-package.ts'

const example = resolve(import.meta.dirname, '../../clients/python/examples/no_repeats.py')

let environment: Record<string, string>
beforeAll(async () => {
  const installed = await installPackage()
  environment = { ESPALIER_PYTHON: installed.python }
  vi.stubEnv('PYTHONPATH', installed.environment.PYTHONPATH)
  return async () => {
    vi.unstubAllEnvs()
    await installed.remove()
  }
})

function episodeOf(...actions: string[]): ScoredEpisode {
  const steps = actions.map((action, index) => ({
    step_id: index + 1,
    source: 'agent' as const,
    message: action,
    tool_calls: [{ tool_call_id: `${index}`, function_name: 'act', arguments: { action } }],
  }))
  return {
    run: 'run-1',
    episode: 'ep-0000000',
    task: 'task-1',
    environment: 'textcraft',
    method: 'react',
    status: 'failed',
    reward: 0,
    success: false,
    steps: actions.length,
    trajectory: {
      schema_version: 'ATIF-v1.6',
      session_id: 's',
      agent: { name: 'espalier-react', version: '0.1.0' },
      steps,
    },
  }
}

async function scorerOf(text: string) {
  const file = join(await temporaryFolder(), 'own.py')
  await writeFile(file, text)
  return openScorer(file, environment)
}

test('the example in Python scores as the one in TypeScript does', async () => {
  const scorer = await openScorer(example, environment)
  try {
    expect(scorer.by).toMatchObject({ kind: 'scorer', name: 'no_repeats.py', model: null })
    const scored = await Promise.all([
      scorer.score(episodeOf('look', 'get log', 'look', 'craft')),
      scorer.score(episodeOf('look')),
    ])
    expect(scored.map(({ value }) => value)).toEqual([0.75, 1])
    expect(scored[0]?.note).toBe('3 of 4 actions are new')
    await expect(scorer.score(episodeOf())).rejects.toThrow(
      'ValueError: It took no action. (no_repeats.py, line',
    )
  } finally {
    await scorer.close()
  }
})

test('a function may be async and print; what it answers beside 0 to 1 is an error', async () => {
  const scorer = await scorerOf(`
async def score(episode):
    print("at work")
    return {"look": 0.5, "one": 7, "two": float("nan"), "three": None}[episode["trajectory"]["steps"][0]["message"]]
`)
  try {
    expect(await scorer.score(episodeOf('look'))).toEqual({ value: 0.5 })
    await expect(scorer.score(episodeOf('one'))).rejects.toThrow('7, which is no number from 0 to 1')
    await expect(scorer.score(episodeOf('two'))).rejects.toThrow('ValueError')
    await expect(scorer.score(episodeOf('three'))).rejects.toThrow('no number from 0 to 1')
    expect(await scorer.score(episodeOf('look'))).toEqual({ value: 0.5 })
  } finally {
    await scorer.close()
  }
})

test('an episode that ends the process is an error, and the next one is scored', async () => {
  const scorer = await scorerOf(`
import os
def score(episode):
    if episode["trajectory"]["steps"][0]["message"] == "die":
        os._exit(3)
    return 1
`)
  try {
    await expect(scorer.score(episodeOf('die'))).rejects.toThrow('is gone: it ended with code 3')
    expect(await scorer.score(episodeOf('look'))).toEqual({ value: 1 })
  } finally {
    await scorer.close()
  }
})

test('a changed file is another version; one without the function is refused', async () => {
  const [first, second] = await Promise.all([
    scorerOf('def score(episode):\n    return 1\n'),
    scorerOf('def score(episode):\n    return 0\n'),
  ])
  expect(first.by.digest).not.toBe(second.by.digest)
  await Promise.all([first.close(), second.close()])
  await expect(scorerOf('x = 1\n')).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('defines no function score(episode)'),
  })
})
