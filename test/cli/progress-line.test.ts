import { describe, expect, it } from 'vitest'
import { widthOf } from '../../cli/fit-text.ts'
import { progressBar, progressText } from '../../cli/progress-line.ts'
import { showProgress } from '../../cli/show-progress.ts'
import { halfPlayedRun } from '../builders/runs.ts'
import { recordingTerminal } from './recording-terminal.ts'

const run = halfPlayedRun({ request: { limits: { cost: 5 } } })

describe('progress', () => {
  it('says how far a run is, what it costs and how long it takes', () => {
    expect(progressText(run, { ended: 2, seconds: 5 })).toBe(
      '12/20 · 58 % solved · 310 calls · 48.2 k tokens · $0.0312 of $5.00 · 2.0/s · 4 s left',
    )
  })

  it('names the status of a run that rests, and what errored', () => {
    const paused = halfPlayedRun({ status: 'paused', episodes: { ...run.episodes, errored: 1 } })
    expect(progressText(paused, { ended: 13, seconds: 5 })).toBe(
      '13/20 · 58 % solved · 1 ended with an error · 310 calls · 48.2 k tokens · $0.0312 · paused',
    )
  })

  it('says what keeps a model from answering, before the figures', () => {
    const last_problem = {
      message: 'connection refused; try 3 of 7, next in 8 s',
      at: '2026-01-01T00:00:00.000Z',
    }
    expect(progressText(halfPlayedRun({ last_problem }), { ended: 12, seconds: 5 })).toBe(
      '12/20 · 58 % solved · connection refused; try 3 of 7, next in 8 s · 310 calls · 48.2 k tokens · $0.0312',
    )
  })

  it.each([50, 90, 100, 120])('keeps to %d columns', (width) => {
    expect(widthOf(progressBar('react', run, { ended: 0, seconds: 1 }, width))).toBe(width)
  })

  it('draws the share that has ended', () => {
    const bar = progressBar('react', run, { ended: 12, seconds: 1 }, 120)
    expect(bar.match(/█/g)).toHaveLength(14)
    expect(bar.match(/░/g)).toHaveLength(10)
  })

  it('prints a line at first and at each change of status where nothing can be redrawn', async () => {
    const terminal = recordingTerminal()
    const progress = await showProgress(terminal, ['react', 'mcts'])
    progress.update('mcts', run)
    progress.update('mcts', halfPlayedRun({ usage: { ...run.usage, model_calls: 311 } }))
    progress.update('mcts', halfPlayedRun({ status: 'succeeded' }))
    progress.stop()
    expect(terminal.notes).toHaveLength(2)
    expect(terminal.notes[0]).toMatch(/^mcts {3}12\/20/)
    expect(terminal.notes[1]).toMatch(/completed$/)
    expect(terminal.outs).toEqual([])
  })
})
