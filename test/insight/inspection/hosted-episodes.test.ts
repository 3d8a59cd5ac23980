import { expect, test } from 'vitest'
import { taskStatesOf } from '../../../functions/wiring/environment-facts.ts'
import type { RunRequest } from '../../../shared/core/contracts/run.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openInProcessHosts } from '../../support/in-process-hosts.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { journalRecords, playOnce, treeOf } from '../../support/play-once.ts'
import { onlyEnvironment } from '../../support/test-environment.ts'
import { inspectJournal } from './inspect-journal.ts'

test('an episode whose environment was on a host gives the same details, and its steps are no calls', async () => {
  const world = await openTestWorld()
  const environment = createHashEnvironment(7)
  const hosts = openInProcessHosts({ world, environment })
  await hosts.add('host-1')
  const method = { id: 'mcts', iterations: 3, samples: 3 }
  const options = {
    world,
    environment,
    model: createHashModel(),
    method,
    hosting: 'host' as const,
    sessions: hosts.sessions,
  }
  expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
  const records = await journalRecords(options)
  expect(records.some((record) => 'effect' in record && record.effect.endsWith('/step'))).toBe(true)

  const inspection = inspectJournal({
    records,
    request: { method: method as RunRequest['method'], environment: environment.id },
    statesOf: taskStatesOf(onlyEnvironment(environment)),
  })
  for (const index of (await treeOf(options)).nodes.keys()) {
    const { expansions, others, state_note } = await inspection.node('run', 'ep-0000000', index)
    expect(state_note).toBeNull()
    expect(others).toEqual([])
    expect(expansions.every(({ key }) => key.startsWith(`node/${index}/sample/`))).toBe(true)
  }
})
