import { describe, expect, it } from 'vitest'
import { followRun } from '../../cli/follow-run.ts'
import type { RunMessage } from '../../shared/core/client/follow-events.ts'
import type { RunStatus } from '../../shared/core/contracts/run.ts'
import { halfPlayedRun } from '../builders/runs.ts'

function event(sequence: number, status: RunStatus): RunMessage {
  const created_at = '2026-01-01T00:00:00.000Z'
  return { event: { type: 'run.status', sequence, created_at, status, reason: null } }
}

const run = (status: RunStatus): RunMessage => ({ run: halfPlayedRun({ status }) })

const { signal } = new AbortController()

/** A service whose run has a status when it is looked at, and whose stream says these things. */
function fakeClient(status: RunStatus, messages: RunMessage[]) {
  let opened = 0
  return {
    opened: () => opened,
    run: async () => halfPlayedRun({ status }),
    async *events() {
      opened++
      yield* messages
      throw new Error('read past the end')
    },
  }
}

describe('followRun', () => {
  it('ends when the run has ended, with every event reported', async () => {
    const seen: number[] = []
    const statuses: string[] = []
    const client = fakeClient('running', [
      event(1, 'running'),
      run('running'),
      event(2, 'succeeded'),
      run('succeeded'),
    ])
    const ended = await followRun(client, 'run-1', {
      signal,
      onEvent: ({ sequence }) => seen.push(sequence),
      onProgress: ({ status }) => statuses.push(status),
    })
    expect(ended.status).toBe('succeeded')
    expect(seen).toEqual([1, 2])
    expect(statuses).toEqual(['running', 'running', 'succeeded'])
  })

  it('watches on past a pause that was over long ago', async () => {
    const client = fakeClient('running', [
      event(1, 'paused'),
      event(2, 'running'),
      run('running'),
      run('failed'),
    ])
    expect((await followRun(client, 'run-1', { signal })).status).toBe('failed')
  })

  it('ends at a pause that lasts', async () => {
    expect((await followRun(fakeClient('running', [run('paused')]), 'run-1', { signal })).status).toBe(
      'paused',
    )
  })

  it('ends when the stream says that all was sent', async () => {
    expect((await followRun(fakeClient('running', [{ end: true }]), 'run-1', { signal })).status).toBe(
      'running',
    )
  })

  it('answers at once for a run that rests, and reports its events where they are wanted', async () => {
    const resting = fakeClient('succeeded', [event(1, 'succeeded'), run('succeeded')])
    expect((await followRun(resting, 'run-1', { signal })).status).toBe('succeeded')
    expect(resting.opened()).toBe(0)
    const seen: number[] = []
    await followRun(resting, 'run-1', { signal, onEvent: ({ sequence }) => seen.push(sequence) })
    expect(seen).toEqual([1])
  })
})
